package io.berth.config;

/// How to talk to the API server.
public record ClientConnectionConfiguration(
        String kubeconfig, String acceptContentTypes, String contentType, float qps, int burst) {
    public static final ClientConnectionConfiguration DEFAULT =
            new ClientConnectionConfiguration(
                    "", "", "application/vnd.kubernetes.protobuf", 50, 100);
}
