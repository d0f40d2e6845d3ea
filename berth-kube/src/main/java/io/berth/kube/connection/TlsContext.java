package io.berth.kube.connection;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Builds the TLS context from certificates and keys in PEM form.
public final class TlsContext {
    private TlsContext() {}

    /// What the files hold now; equal where nothing changed.
    public record Material(
            List<X509Certificate> authorities,
            List<X509Certificate> chain,
            @Nullable PrivateKey key) {}

    /// Reads the files.
    ///
    /// @param issued a certificate from the credentials, which goes before a configured one
    public static Material read(
            Connection.Tls tls, Credentials.@Nullable ClientCertificate issued) {
        var authorities = tls.authorities();
        var own = issued != null ? issued : tls.certificate();
        var chain =
                own == null
                        ? List.<X509Certificate>of()
                        : Pem.certificates(own.chain().read(), own.chain().origin());
        var key = own == null ? null : Pem.privateKey(own.key().read(), own.key().origin());
        if (own != null && key != null) {
            checkPair(chain.getFirst(), key, own);
        }
        return new Material(
                authorities == null || tls.insecure()
                        ? List.of()
                        : Pem.certificates(authorities.read(), authorities.origin()),
                chain,
                key);
    }

    private static void checkPair(
            X509Certificate certificate, PrivateKey key, Credentials.ClientCertificate own) {
        String wanted = certificate.getPublicKey().getAlgorithm();
        if (!wanted.equals(key.getAlgorithm())) {
            throw new ConfigException(
                    "%s holds a key for %s, but the certificate in %s is for %s"
                            .formatted(
                                    own.key().origin(),
                                    key.getAlgorithm(),
                                    own.chain().origin(),
                                    wanted));
        }
        if (!Pem.isPair(certificate, key)) {
            throw new ConfigException(
                    "%s is not the key of the certificate in %s: tls: private key does not match public key"
                            .formatted(own.key().origin(), own.chain().origin()));
        }
    }

    public static SSLContext of(Connection.Tls tls, Material material) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(keys(material), trust(tls, material), null);
            return context;
        } catch (GeneralSecurityException | IOException broken) {
            throw new ConfigException("unable to set up TLS: " + Errors.reason(broken), broken);
        }
    }

    private static KeyManager @Nullable [] keys(Material material) {
        return material.key == null
                ? null
                : new KeyManager[] {new OneKey(material.key, material.chain)};
    }

    private static TrustManager @Nullable [] trust(Connection.Tls tls, Material material)
            throws GeneralSecurityException, IOException {
        if (tls.insecure()) {
            return new TrustManager[] {new TrustAnyone()};
        }
        if (material.authorities.isEmpty()) {
            return null;
        }
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < material.authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, material.authorities.get(i));
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /// For `insecure-skip-tls-verify`. Being an extended trust manager, it is asked instead of the
    /// JDK's own comparison of host names, not in addition to it.
    private static final class TrustAnyone extends X509ExtendedTrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
