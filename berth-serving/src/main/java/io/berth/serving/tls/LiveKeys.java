package io.berth.serving.tls;

import java.net.InetAddress;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Gives each TLS handshake the pair that is right for its host name at that time.
///
/// The JDK asks for an alias first and for its key later, so the pairs given out last are
/// remembered by alias: a pair may be replaced in between.
public final class LiveKeys extends X509ExtendedKeyManager {
    private static final int REMEMBERED = 64;

    private final ServingCertificates certificates;
    private final Map<String, ServingPair> byAlias =
            Collections.synchronizedMap(
                    new LinkedHashMap<>() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, ServingPair> eldest) {
                            return size() > REMEMBERED;
                        }
                    });

    /// Where connections came to whose handshake is under way.
    private final Map<SSLEngine, InetAddress> addresses =
            Collections.synchronizedMap(new WeakHashMap<>());

    public LiveKeys(ServingCertificates certificates) {
        this.certificates = certificates;
    }

    /// A connection came to that address of ours: clients that know us by an address alone, and
    /// name no host, are shown the pair for it (P-21).
    public void arrived(SSLEngine engine, InetAddress address) {
        addresses.put(engine, address);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        ServingPair pair = certificates.forName(nameOf(engine));
        if (!pair.leaf().getPublicKey().getAlgorithm().equals(keyType)) {
            return null;
        }
        String alias = Integer.toHexString(pair.leaf().hashCode());
        byAlias.put(alias, pair);
        return alias;
    }

    private String nameOf(SSLEngine engine) {
        String host = hostName(engine);
        InetAddress address = addresses.get(engine);
        return host.isEmpty() && address != null ? address.getHostAddress() : host;
    }

    private static String hostName(SSLEngine engine) {
        if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
            for (SNIServerName name : session.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return "";
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        ServingPair pair = byAlias.get(alias);
        return pair == null ? null : pair.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        ServingPair pair = byAlias.get(alias);
        return pair == null ? null : pair.key();
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, Socket socket) {
        throw new UnsupportedOperationException("only engines serve here");
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
