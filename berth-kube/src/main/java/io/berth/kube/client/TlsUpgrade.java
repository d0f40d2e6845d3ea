package io.berth.kube.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/// Makes a TLS connection of a plain one and checks who is at the other end.
///
/// Thread-safe.
final class TlsUpgrade implements TlsSocketStrategy {
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);

    /// What a handshake offers to agree on keys by: the curves that every server has. With those of
    /// another sort besides, the JDK makes a pair of keys of each, and a start, which is twenty
    /// handshakes, has to compile the arithmetic of both.
    private static final String[] USUAL_CURVES = {"secp256r1", "secp384r1", "secp521r1"};

    /// What it is called that the server said no; servers give several reasons where it is about
    /// curves.
    private static final String REFUSED = "Received fatal alert";

    private final SSLContext context;
    private final @Nullable String serverName;

    /// Whether the server wants none of the usual curves, so that it is offered all there are.
    private volatile boolean offersAll;

    /// @param serverName expected there instead of the address's own name (`tls-server-name`); null
    ///   for that
    TlsUpgrade(SSLContext context, @Nullable String serverName) {
        this.context = context;
        this.serverName = serverName;
    }

    /// The server refused what it was offered; the next handshake offers more.
    static final class OfferException extends SSLException {
        private static final long serialVersionUID = 1L;

        OfferException(SSLException refused) {
            super(refused.getMessage(), refused);
        }
    }

    @Override
    public SSLSocket upgrade(
            Socket plain,
            String host,
            int port,
            @Nullable Object attachment,
            @Nullable HttpContext exchange)
            throws IOException {
        String name = serverName == null ? host : serverName;
        // The name given here is the one that is checked.
        var secure = (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true);
        boolean offeredAll = offersAll;
        try {
            var parameters = secure.getSSLParameters();
            if (!offeredAll) {
                parameters.setNamedGroups(USUAL_CURVES);
            }
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setServerNames(greeting(name));
            secure.setSSLParameters(parameters);
            secure.setSoTimeout((int) HANDSHAKE.toMillis());
            secure.startHandshake();
            secure.setSoTimeout(0);
            return secure;
        } catch (SSLException refused) {
            plain.close();
            if (offeredAll || !String.valueOf(refused.getMessage()).contains(REFUSED)) {
                throw refused;
            }
            offersAll = true;
            throw new OfferException(refused);
        } catch (IOException refused) {
            plain.close();
            throw refused;
        }
    }

    /// The name that the greeting carries (SNI), so that a server with several certificates shows
    /// the right one. Left to itself, the JDK sends no name of a single label. Addresses are never
    /// sent.
    private static List<SNIServerName> greeting(String name) {
        String told = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (told.isEmpty() || isAddress(told)) {
            return List.of();
        }
        try {
            return List.of(new SNIHostName(told));
        } catch (IllegalArgumentException unusual) {
            // A name that no host may have, such as one with an underscore.
            return List.of();
        }
    }

    private static boolean isAddress(String name) {
        try {
            InetAddress.ofLiteral(name);
            return true;
        } catch (IllegalArgumentException aName) {
            return false;
        }
    }
}
