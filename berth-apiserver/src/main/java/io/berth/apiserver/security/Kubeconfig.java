package io.berth.apiserver.security;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// The text of a kubeconfig file that needs no other file.
public final class Kubeconfig {
    private Kubeconfig() {}

    public static String withCertificate(String server, String caPem, Identity identity) {
        return file(
                server,
                caPem,
                "    client-certificate-data: "
                        + base64(identity.certificatePem())
                        + "\n    client-key-data: "
                        + base64(identity.keyPem())
                        + "\n");
    }

    public static String withToken(String server, String caPem, String token) {
        return file(server, caPem, "    token: " + token + "\n");
    }

    private static String file(String server, String caPem, String credentials) {
        return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: berth
          cluster:
            server: %s
            certificate-authority-data: %s
        users:
        - name: admin
          user:
        %scontexts:
        - name: berth
          context:
            cluster: berth
            user: admin
        current-context: berth
        """
                .formatted(server, base64(caPem), credentials);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
