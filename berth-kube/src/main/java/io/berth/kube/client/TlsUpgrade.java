package io.berth.kube.client;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/// Makes a TLS connection of a plain one and checks who is at the other end.
///
/// @param serverName expected there instead of the address's own name (`tls-server-name`); null for
///   that
record TlsUpgrade(SSLContext context, @Nullable String serverName) implements TlsSocketStrategy {
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);

    @Override
    public SSLSocket upgrade(
            Socket plain,
            String host,
            int port,
            @Nullable Object attachment,
            @Nullable HttpContext exchange)
            throws IOException {
        String name = serverName == null ? host : serverName;
        // The name given here is both the one in the greeting (SNI) and the one that is checked.
        var secure = (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true);
        try {
            var parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            secure.setSoTimeout((int) HANDSHAKE.toMillis());
            secure.startHandshake();
            secure.setSoTimeout(0);
            return secure;
        } catch (IOException refused) {
            plain.close();
            throw refused;
        }
    }
}
