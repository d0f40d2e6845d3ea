package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.api.model.Kind;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.codec.ProtobufOutput;
import io.berth.kube.codec.WatchReader;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.connection.KubeConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/// The part of a rehearsal that the cluster in the same process, which answers in JSON alone,
/// cannot play: reading objects in protobuf, as real API servers send them.
final class ReadingRehearsal {
    private static final int ROUNDS = 3;

    private final Shared shared = new Shared();

    /// Reads all nodes, pods, claims and slices of a cluster as if they came in protobuf.
    void run(Path kubeconfig) throws IOException {
        var connection = KubeConfig.load(kubeconfig).connection("");
        try (var client = new ApiClient(connection, ClientOptions.DEFAULT)) {
            for (int round = 0; round < ROUNDS; round++) {
                read(Kind.NODE, events(client, "/api/v1/nodes", Kind.NODE));
                read(Kind.POD, events(client, "/api/v1/pods", Kind.POD));
                readDevices(client, Kind.RESOURCE_SLICE);
                readDevices(client, Kind.RESOURCE_CLAIM);
            }
        }
    }

    private void readDevices(ApiClient client, Kind kind) throws IOException {
        read(kind, events(client, "/apis/resource.k8s.io/v1/" + kind.plural(), kind));
    }

    private static byte[] events(ApiClient client, String path, Kind kind) throws IOException {
        var events = new ByteArrayOutputStream();
        var list = Json.parse(client.send(ApiRequest.get(path)).text());
        for (var item : list.path("items")) {
            byte[] json = Json.bytes((ObjectNode) item);
            events.writeBytes(ProtobufOutput.event("ADDED", kind, json));
        }
        return events.toByteArray();
    }

    private void read(Kind kind, byte[] events) throws IOException {
        var stream = new ByteArrayInputStream(events);
        try (var reader = WatchReader.of(stream, Encoding.PROTOBUF, kind, shared)) {
            var event = reader.next();
            while (event != null) {
                event = reader.next();
            }
        }
    }
}
