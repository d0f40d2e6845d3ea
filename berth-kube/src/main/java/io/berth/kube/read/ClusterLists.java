package io.berth.kube.read;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.codec.ListReader;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.Shared;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/// Lists all objects of a kind, page by page. Needs the right to list and no other.
public final class ClusterLists {
    private static final int PAGE_SIZE = 2000;
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final ApiClient client;
    private final Shared shared = new Shared();

    public ClusterLists(ApiClient client) {
        this.client = client;
    }

    /// @param unreadable how many objects could not be read, which is logged
    public record Listed(List<ClusterObject> objects, String resourceVersion, int unreadable) {
        public Listed {
            objects = List.copyOf(objects);
        }
    }

    /// @param progress told how many have come so far
    /// @throws ApiException where the server refuses or does not answer
    /// @throws IOException where the answer breaks off
    public Listed list(Kind kind, IntConsumer progress) throws IOException {
        var objects = new ArrayList<ClusterObject>();
        int[] unreadable = {0};
        String next = "";
        String version;
        do {
            var request =
                    ApiRequest.get(kind.path())
                            .inAnyEncoding()
                            .with("limit", Integer.toString(PAGE_SIZE));
            var page =
                    page(
                            next.isEmpty() ? request : request.with("continue", next),
                            kind,
                            objects,
                            unreadable);
            version = page.resourceVersion();
            next = page.next();
            progress.accept(objects.size());
        } while (!next.isEmpty());
        return new Listed(objects, version, unreadable[0]);
    }

    private ListReader.Page page(
            ApiRequest request, Kind kind, List<ClusterObject> objects, int[] unreadable)
            throws IOException {
        try (var body = client.open(request)) {
            body.limitSilence(SILENCE);
            return ListReader.read(
                    body,
                    Encoding.of(body.contentType()),
                    kind,
                    shared,
                    false,
                    decoded -> {
                        var object = decoded.object();
                        if (object == null) {
                            unreadable[0]++;
                        } else {
                            objects.add(object);
                        }
                    });
        }
    }
}
