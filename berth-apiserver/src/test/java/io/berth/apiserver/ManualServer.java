package io.berth.apiserver;

import java.nio.file.Files;
import java.nio.file.Path;

/// Runs a server until the process ends, for trying things by hand.
final class ManualServer {
    private ManualServer() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT.withPort(port));
        Files.writeString(Path.of(arguments[1]), server.kubeconfig());
        System.out.println(server.uri() + " token " + server.token());
        Thread.sleep(Long.MAX_VALUE);
    }
}
