package io.berth.kube.connection;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Shows one certificate to every server that asks for one.
///
/// The JDK's way leads through a key store, which encrypts and decrypts the key with a derived
/// password: tens of milliseconds of a cold process for each connection's context.
final class OneKey extends X509ExtendedKeyManager {
    private static final String NAME = "client";

    private final PrivateKey key;
    private final X509Certificate[] chain;

    OneKey(PrivateKey key, List<X509Certificate> chain) {
        this.key = key;
        this.chain = chain.toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineClientAlias(keyTypes, issuers, null);
    }

    /// Whoever issued the certificate: a server that does not know its issuer refuses it with a
    /// clearer word than it has for no certificate at all.
    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        for (var type : keyTypes) {
            if (isFor(type)) {
                return NAME;
            }
        }
        return null;
    }

    /// @param type a key's algorithm, for TLS before 1.3 perhaps with the issuer's: `EC_RSA`
    private boolean isFor(String type) {
        String algorithm = key.getAlgorithm();
        return type.equals(algorithm)
                || type.startsWith(algorithm + "_")
                || algorithm.equals("RSA") && type.equals("RSASSA-PSS");
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return isFor(keyType) ? new String[] {NAME} : new String[0];
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
