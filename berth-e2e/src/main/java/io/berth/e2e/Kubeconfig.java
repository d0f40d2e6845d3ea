package io.berth.e2e;

import io.berth.e2e.CertificateAuthority.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/// A kubeconfig file with one cluster and one user, certificates inside.
final class Kubeconfig {
    private Kubeconfig() {}

    static Path write(Path file, URI server, CertificateAuthority authority, Credentials user)
            throws IOException {
        String text =
                """
                apiVersion: v1
                kind: Config
                current-context: berth
                clusters:
                - name: berth
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: berth
                  user:
                    client-certificate-data: %s
                    client-key-data: %s
                contexts:
                - name: berth
                  context:
                    cluster: berth
                    user: berth
                """
                        .formatted(
                                server,
                                base64(authority.certificatePem()),
                                base64(user.certificatePem()),
                                base64(user.keyPem()));
        return Files.writeString(file, text);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
