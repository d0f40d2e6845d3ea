package io.berth.kube.client;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// A TLS context whose connections expect a server of a given name, whatever address they go to
/// (`tls-server-name`).
///
/// The JDK's HTTP client takes the name for both the greeting (SNI) and the check of the
/// certificate from the address and has no setting for another. It does ask this context for its
/// engines, though, so the engines handed out are made for the other name.
final class NamedTlsContext extends SSLContext {
    NamedTlsContext(SSLContext actual, String serverName) {
        super(new Spi(actual, serverName), actual.getProvider(), actual.getProtocol());
    }

    private static final class Spi extends SSLContextSpi {
        private final SSLContext actual;
        private final String serverName;

        Spi(SSLContext actual, String serverName) {
            this.actual = actual;
            this.serverName = serverName;
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return engineCreateSSLEngine(serverName, -1);
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return new NamedTlsEngine(actual.createSSLEngine(serverName, port), serverName);
        }

        @Override
        protected void engineInit(
                KeyManager @Nullable [] keys,
                TrustManager @Nullable [] trust,
                @Nullable SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("already initialised");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return actual.getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return actual.getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return actual.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return actual.getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return actual.getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return actual.getSupportedSSLParameters();
        }
    }
}
