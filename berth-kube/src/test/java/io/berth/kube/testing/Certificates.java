package io.berth.kube.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;

/// A self-signed certificate made by the JDK's keytool, in the forms that tests need.
public final class Certificates {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final int RSA_BITS = 2048;

    private final KeyStore store;

    private Certificates(KeyStore store) {
        this.store = store;
    }

    /// A private key: of the usual lengths, which are made sooner than the JDK's own.
    public static PrivateKey newKey(String algorithm) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance(algorithm);
        switch (algorithm) {
            case "RSA" -> generator.initialize(RSA_BITS);
            case "EC" -> generator.initialize(new ECGenParameterSpec("secp256r1"));
            default -> {}
        }
        return generator.generateKeyPair().getPrivate();
    }

    /// @param algorithm RSA or EC
    /// @param names alternative names, such as `IP:127.0.0.1` or `DNS:kubernetes`
    public static Certificates make(Path directory, String algorithm, String names)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve(algorithm + ".p12");
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "it",
                                "-keyalg",
                                algorithm,
                                "-dname",
                                "CN=test",
                                "-ext",
                                "SAN=" + names,
                                "-validity",
                                "2",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                "changeit",
                                "-keystore",
                                file.toString()));
        if (algorithm.equals("RSA")) {
            command.addAll(List.of("-keysize", Integer.toString(RSA_BITS)));
        }
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("keytool.log").toFile())
                        .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(Files.readString(directory.resolve("keytool.log")));
        }
        var store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new Certificates(store);
    }

    public String certificatePem() throws GeneralSecurityException {
        return pem("CERTIFICATE", store.getCertificate("it").getEncoded());
    }

    public PrivateKey key() throws GeneralSecurityException {
        return (PrivateKey) store.getKey("it", PASSWORD);
    }

    public String keyPem() throws GeneralSecurityException {
        return pem("PRIVATE KEY", key().getEncoded());
    }

    public static String pem(String label, byte[] der) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END "
                + label
                + "-----\n";
    }

    /// A listener on loopback that shows this certificate.
    ///
    /// @param clients whose certificate clients must show; null to ask for none
    public ServerSocket listen(@org.jspecify.annotations.Nullable Certificates clients)
            throws GeneralSecurityException, IOException {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        var context = SSLContext.getInstance("TLS");
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(clients == null ? store : trusting(clients));
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        var socket =
                (SSLServerSocket)
                        context.getServerSocketFactory()
                                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        socket.setNeedClientAuth(clients != null);
        return socket;
    }

    private static KeyStore trusting(Certificates clients)
            throws GeneralSecurityException, IOException {
        var result = KeyStore.getInstance("PKCS12");
        result.load(null, null);
        result.setCertificateEntry("client", clients.store.getCertificate("it"));
        return result;
    }
}
