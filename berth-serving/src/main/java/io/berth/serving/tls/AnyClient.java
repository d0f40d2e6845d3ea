package io.berth.serving.tls;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Lets every client certificate through: who signed it is judged per request, by the
/// authenticators, so that a wrong certificate gets a readable answer. TLS itself has checked that
/// the client holds the key.
public final class AnyClient extends X509ExtendedTrustManager {
    private final ClientAuthorities authorities;

    public AnyClient(ClientAuthorities authorities) {
        this.authorities = authorities;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.current().toArray(X509Certificate[]::new);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
        throw new UnsupportedOperationException("this side never connects");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
        throw new UnsupportedOperationException("this side never connects");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
        throw new UnsupportedOperationException("this side never connects");
    }
}
