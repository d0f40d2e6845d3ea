package io.berth.kube.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import io.berth.api.handle.ClusterException;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.connection.ConfigException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// Writes to a real API server. Thread-safe; every call blocks until the server has answered.
///
/// A binding is tried once: where its answer is lost, the watch tells what became of it. A status
/// patch is tried up to four times, since it may be repeated without harm (E-108).
public final class HttpClusterWrites implements ClusterWrites {
    private static final int TRIES = 4;
    private static final long FIRST_PAUSE_NANOS = 10_000_000;

    /// What is read is what became of a write, most often one whose answer did not come: the pod
    /// has waited for that already, and one object is read in milliseconds or not at all.
    private static final Duration LOOK = Duration.ofSeconds(5);

    /// Buffers go from one write to the next. Kept for each thread, they would be made for each:
    /// every write has a virtual thread of its own.
    private static final JsonFactory JSON =
            JsonFactory.builder().recyclerPool(JsonRecyclerPools.newConcurrentDequePool()).build();

    private final ApiClient client;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Duration lookLimit;
    private final ClaimWrites claims;

    public HttpClusterWrites(ApiClient client) {
        this(client, InstantSource.system(), RandomGenerator.getDefault());
    }

    public HttpClusterWrites(ApiClient client, InstantSource clock, RandomGenerator random) {
        this(client, clock, random, LOOK);
    }

    /// @param lookLimit for reading what became of a write
    HttpClusterWrites(
            ApiClient client, InstantSource clock, RandomGenerator random, Duration lookLimit) {
        this.client = client;
        this.clock = clock;
        this.random = random;
        this.lookLimit = lookLimit;
        this.claims = new ClaimWrites(client);
    }

    @Override
    public ClusterObject read(Kind kind, String namespace, String name) {
        try {
            return claims.read(kind, namespace, name, lookLimit);
        } catch (ApiException failure) {
            throw clusterException(failure);
        } catch (ConfigException unusable) {
            throw unavailable(unusable);
        }
    }

    @Override
    public Receipt send(Write write, Departure departure) {
        try {
            return switch (write) {
                case Write.Bind(var pod, var node) -> carryOut(binding(pod, node, departure));
                case Write.PatchStatus patch -> patch(patch, departure);
                case Write.PatchObject patch -> carryOut(merge(patch, departure));
                case Write.Delete(var pod) ->
                        repeated(deletion(path(pod), pod.uid()).with(departure));
                case Write.ReserveVolume reserve ->
                        answered(VolumeWrites.of(reserve).with(departure));
                case Write.SelectNode select -> answered(VolumeWrites.of(select).with(departure));
                case Write.OfDevices devices -> claims.send(devices, departure);
            };
        } catch (ApiException failure) {
            if (failure.failure() == ApiException.Failure.WITHDRAWN) {
                return Receipt.WITHDRAWN;
            }
            throw clusterException(failure);
        } catch (ConfigException unusable) {
            throw unavailable(unusable);
        }
    }

    private Receipt carryOut(ApiRequest request) {
        client.carryOut(request);
        return Receipt.SENT;
    }

    /// For writes whose answer tells the version from then on.
    private Receipt answered(ApiRequest request) {
        return Receipt.of(VolumeWrites.versionIn(client.send(request).body()));
    }

    private static ApiRequest binding(Pod pod, String node, Departure departure) {
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
        return ApiRequest.create(path(pod) + "/binding", body).with(departure);
    }

    private Receipt patch(Write.PatchStatus write, Departure departure) {
        byte[] body = StatusPatch.of(write, clock.instant());
        if (body == null) {
            return Receipt.SENT;
        }
        var request =
                ApiRequest.patch(
                                path(write.pod()) + "/status",
                                ApiRequest.STRATEGIC_MERGE_PATCH,
                                body)
                        .with(departure);
        return repeated(write.isLate() ? request.late() : request);
    }

    private static ApiRequest merge(Write.PatchObject write, Departure departure) {
        String object = write.kind().path(write.namespace(), write.name());
        return ApiRequest.patch(
                        write.subresource().isEmpty() ? object : object + "/" + write.subresource(),
                        ApiRequest.MERGE_PATCH,
                        json(out -> Trees.write(write.patch(), out)))
                .with(departure);
    }

    /// For writes that do no more when they are carried out twice.
    private Receipt repeated(ApiRequest write) {
        long pause = FIRST_PAUSE_NANOS;
        for (int attempt = 1; ; attempt++) {
            try {
                client.carryOut(write);
                return Receipt.SENT;
            } catch (ApiException failure) {
                if (attempt == TRIES || !isWorthRepeating(write, failure)) {
                    throw failure;
                }
            }
            write.departure().comesBack();
            sleep(pause + (long) (0.1 * random.nextDouble() * pause));
            pause *= 5;
        }
    }

    /// A deletion whose answer was lost is sent again: it is the end of its pod in either case,
    /// while a patch that comes late might speak over what others have written since.
    private static boolean isWorthRepeating(ApiRequest write, ApiException failure) {
        return switch (failure.failure()) {
            case UNREACHABLE -> true;
            case BROKEN -> write.verb().equals("DELETE");
            case ANSWERED ->
                    failure.code() == 500
                            || failure.code() == 503
                            || failure.code() == 409 && !isAboutAnother(failure);
            case TIMEOUT, FENCED, WITHDRAWN, INTERRUPTED -> false;
        };
    }

    /// Whether the pod was made anew under its name, which no repetition changes.
    private static boolean isAboutAnother(ApiException conflict) {
        return String.valueOf(conflict.getMessage()).contains("UID in precondition");
    }

    /// The uid goes along, so that an object created anew under the same name is spared.
    static ApiRequest deletion(String path, String uid) {
        byte[] options =
                json(out -> {
                    out.writeStartObject();
                    out.writeStringField("kind", "DeleteOptions");
                    out.writeStringField("apiVersion", "v1");
                    out.writeObjectFieldStart("preconditions");
                    out.writeStringField("uid", uid);
                    out.writeEndObject();
                    out.writeEndObject();
                });
        return ApiRequest.delete(path, options);
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
                    case FENCED, WITHDRAWN -> ClusterException.Kind.REFUSED;
                    case ANSWERED ->
                            isAboutAnother(failure)
                                    ? ClusterException.Kind.NOT_FOUND
                                    : kindOf(failure.code());
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
