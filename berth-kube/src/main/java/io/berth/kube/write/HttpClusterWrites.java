package io.berth.kube.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.ClusterException;
import io.berth.api.plugin.ClusterWrites;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ConfigException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Writes to a real API server. Thread-safe; every call blocks until the server has answered.
///
/// A binding is tried once: where its answer is lost, the watch tells what became of it. A status
/// patch is tried up to four times, since it may be repeated without harm (E-108).
public final class HttpClusterWrites implements ClusterWrites {
    private static final int PATCH_TRIES = 4;
    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final JsonFactory JSON = new JsonFactory();

    private final ApiClient client;
    private final InstantSource clock;
    private final RandomGenerator random;

    public HttpClusterWrites(ApiClient client) {
        this(client, InstantSource.system(), RandomGenerator.getDefault());
    }

    public HttpClusterWrites(ApiClient client, InstantSource clock, RandomGenerator random) {
        this.client = client;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public void bind(Pod pod, String node) {
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeStringField("kind", "Binding");
                    out.writeStringField("apiVersion", "v1");
                    out.writeObjectFieldStart("metadata");
                    out.writeStringField("name", pod.name());
                    out.writeStringField("namespace", pod.namespace());
                    out.writeStringField("uid", pod.uid());
                    out.writeEndObject();
                    out.writeObjectFieldStart("target");
                    out.writeStringField("kind", "Node");
                    out.writeStringField("name", node);
                    out.writeEndObject();
                    out.writeEndObject();
                });
        send(ApiRequest.create(path(pod) + "/binding", body));
    }

    @Override
    public void patchStatus(
            Pod pod, @Nullable PodCondition condition, @Nullable String nominatedNodeName) {
        byte[] patch = StatusPatch.of(pod, condition, nominatedNodeName, clock.instant());
        if (patch == null) {
            return;
        }
        var request =
                ApiRequest.patch(path(pod) + "/status", ApiRequest.STRATEGIC_MERGE_PATCH, patch);
        long pause = FIRST_PAUSE_NANOS;
        for (int attempt = 1; ; attempt++) {
            try {
                client.carryOut(request);
                return;
            } catch (ApiException failure) {
                if (attempt == PATCH_TRIES || !isWorthRepeating(failure)) {
                    throw clusterException(failure);
                }
            } catch (ConfigException unusable) {
                throw unavailable(unusable);
            }
            sleep(pause + (long) (0.1 * random.nextDouble() * pause));
            pause *= 5;
        }
    }

    private static boolean isWorthRepeating(ApiException failure) {
        return switch (failure.failure()) {
            case UNREACHABLE -> true;
            case ANSWERED ->
                    failure.code() == 500 || failure.code() == 503 || failure.code() == 409;
            case BROKEN, TIMEOUT, FENCED, INTERRUPTED -> false;
        };
    }

    /// The uid goes along, so that a pod created anew under the same name is spared.
    @Override
    public void delete(Pod pod) {
        byte[] options =
                json(out -> {
                    out.writeStartObject();
                    out.writeStringField("kind", "DeleteOptions");
                    out.writeStringField("apiVersion", "v1");
                    out.writeObjectFieldStart("preconditions");
                    out.writeStringField("uid", pod.uid());
                    out.writeEndObject();
                    out.writeEndObject();
                });
        send(ApiRequest.delete(path(pod), options));
    }

    private void send(ApiRequest request) {
        try {
            client.carryOut(request);
        } catch (ApiException failure) {
            throw clusterException(failure);
        } catch (ConfigException unusable) {
            throw unavailable(unusable);
        }
    }

    private static ClusterException unavailable(ConfigException problem) {
        return new ClusterException(
                ClusterException.Kind.UNAVAILABLE, String.valueOf(problem.getMessage()), problem);
    }

    private static ClusterException clusterException(ApiException failure) {
        var kind =
                switch (failure.failure()) {
                    case UNREACHABLE -> ClusterException.Kind.UNAVAILABLE;
                    case BROKEN, TIMEOUT, INTERRUPTED -> ClusterException.Kind.TIMEOUT;
                    case FENCED -> ClusterException.Kind.REFUSED;
                    case ANSWERED -> kindOf(failure.code());
                };
        return new ClusterException(kind, String.valueOf(failure.getMessage()), failure);
    }

    private static ClusterException.Kind kindOf(int code) {
        return switch (code) {
            case 404, 410 -> ClusterException.Kind.NOT_FOUND;
            case 409 -> ClusterException.Kind.CONFLICT;
            case 429 -> ClusterException.Kind.UNAVAILABLE;
            case 504 -> ClusterException.Kind.TIMEOUT;
            default ->
                    code >= 500 ? ClusterException.Kind.UNAVAILABLE : ClusterException.Kind.REFUSED;
        };
    }

    private static String path(Pod pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }

    private static void sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new ClusterException(
                    ClusterException.Kind.UNAVAILABLE, "interrupted before another try", stop);
        }
    }

    /// Writes a body.
    interface Body {
        void write(JsonGenerator out) throws IOException;
    }

    static byte[] json(Body body) {
        var bytes = new ByteArrayOutputStream(256);
        try (var out = JSON.createGenerator(bytes)) {
            body.write(out);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }
}
