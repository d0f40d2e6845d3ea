package io.berth.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.HttpApi;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Makes a volume for each claim of a namespace as soon as a node is selected for it, and binds the
/// two, as a driver's provisioner and the cluster's controller do.
///
/// One thread follows the claims; a few others write.
final class Provisioner implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final int WRITERS = 16;

    private final HttpApi api;
    private final String namespace;
    private final HttpClient client;
    private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    private final Set<String> seen = new HashSet<>();

    Provisioner(ControlPlane plane, String namespace) {
        this.api = plane.admin();
        this.namespace = namespace;
        this.client = HttpClient.newBuilder().sslContext(plane.adminTls()).build();
        var request =
                HttpRequest.newBuilder(
                                plane.url().resolve(claims() + "?watch=true&resourceVersion=0"))
                        .build();
        Thread.ofVirtual().name("provisioner").start(() -> follow(request));
    }

    private String claims() {
        return "/api/v1/namespaces/" + namespace + "/persistentvolumeclaims";
    }

    /// Ends with the watch. One that the server cuts leaves claims unbound, and the trial says so.
    private void follow(HttpRequest request) {
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                client.send(request, BodyHandlers.ofInputStream()).body(),
                                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(JSON.readTree(line).path("object"));
            }
        } catch (IOException | UncheckedIOException closed) {
            // By us, at the end.
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void note(JsonNode claim) {
        if (claim.at("/metadata/annotations").has(SELECTED_NODE)
                && claim.at("/spec/volumeName").asText().isEmpty()
                && seen.add(claim.at("/metadata/uid").asText())) {
            writers.execute(() -> provision(claim));
        }
    }

    private void provision(JsonNode claim) {
        var name = claim.at("/metadata/name").asText();
        var volume = namespace + "-" + name;
        api.post(
                        "/api/v1/persistentvolumes",
                        Storage.WAITING.volume(
                                volume, namespace, name, claim.at("/metadata/uid").asText()))
                .ok();
        api.patch(
                        claims() + "/" + name,
                        """
                        {"metadata":{"annotations":{"pv.kubernetes.io/bind-completed":"yes"}},
                         "spec":{"volumeName":"%s"}}
                        """
                                .formatted(volume))
                .ok();
    }

    @Override
    public void close() {
        client.shutdownNow();
        writers.shutdownNow();
    }
}
