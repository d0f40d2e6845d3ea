package io.berth.kube.lease;

import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A Lease of a real API server. What others wrote into it, such as labels, is kept. Used by one
/// thread, except for [#reference].
public final class HttpLeaseLock implements LeaseLock {
    private final ApiClient client;
    private final String namespace;
    private final String name;

    /// The object as the server last showed it; null before that.
    private volatile @Nullable Map<String, @Nullable Object> lease;

    public HttpLeaseLock(ApiClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
    }

    /// The lease as an event refers to it.
    ///
    /// @param uid empty where the lease has not been seen
    public record Reference(String namespace, String name, String uid, String resourceVersion) {}

    public Reference reference() {
        var known = lease;
        var metadata =
                known != null && known.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
        return new Reference(
                namespace, name, word(metadata.get("uid")), word(metadata.get("resourceVersion")));
    }

    private static String word(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    @Override
    public Optional<LeaseRecord> read(Duration limit) {
        try {
            var found = send(ApiRequest.get(collection() + "/" + name).within(limit));
            return Optional.of(recordOf(found));
        } catch (ApiException failure) {
            if (failure.code() == 404) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    @Override
    public void create(LeaseRecord record, Duration limit) {
        var object = new LinkedHashMap<String, @Nullable Object>();
        object.put("apiVersion", "coordination.k8s.io/v1");
        object.put("kind", "Lease");
        object.put("metadata", Map.of("name", name, "namespace", namespace));
        write(record, object);
        send(ApiRequest.create(collection(), JsonTree.bytes(object)).within(limit));
    }

    @Override
    public void update(LeaseRecord record, Duration limit) {
        var known = lease;
        if (known == null) {
            throw new IllegalStateException("lease not initialized, call read or create first");
        }
        var object = new LinkedHashMap<String, @Nullable Object>(known);
        object.put(
                "spec",
                new LinkedHashMap<String, @Nullable Object>(JsonTree.child(object, "spec")));
        write(record, object);
        send(ApiRequest.put(collection() + "/" + name, JsonTree.bytes(object)).within(limit));
    }

    private Map<String, @Nullable Object> send(ApiRequest request) {
        var response = client.send(request);
        try {
            var object = JsonTree.parse(response.body());
            lease = object;
            return object;
        } catch (IOException malformed) {
            throw new ApiException(
                    ApiException.Failure.BROKEN,
                    "the answer about lease " + describe() + " is no JSON object",
                    malformed);
        }
    }

    private static LeaseRecord recordOf(Map<String, @Nullable Object> object) {
        var spec = JsonTree.child(object, "spec");
        return new LeaseRecord(
                JsonTree.text(spec, "holderIdentity"),
                JsonTree.number(spec, "leaseDurationSeconds"),
                MicroTime.parse(JsonTree.text(spec, "acquireTime")),
                MicroTime.parse(JsonTree.text(spec, "renewTime")),
                JsonTree.number(spec, "leaseTransitions"),
                JsonTree.text(spec, "strategy"),
                JsonTree.text(spec, "preferredHolder"));
    }

    private static void write(LeaseRecord record, Map<String, @Nullable Object> object) {
        var spec = JsonTree.child(object, "spec");
        spec.put("holderIdentity", record.holder());
        spec.put("leaseDurationSeconds", record.leaseDurationSeconds());
        putTime(spec, "acquireTime", record.acquireTime());
        putTime(spec, "renewTime", record.renewTime());
        spec.put("leaseTransitions", record.transitions());
        putText(spec, "strategy", record.strategy());
        putText(spec, "preferredHolder", record.preferredHolder());
    }

    private static void putTime(
            Map<String, @Nullable Object> spec, String field, @Nullable Instant time) {
        if (time == null) {
            spec.remove(field);
        } else {
            spec.put(field, MicroTime.text(time));
        }
    }

    private static void putText(Map<String, @Nullable Object> spec, String field, String text) {
        if (text.isEmpty()) {
            spec.remove(field);
        } else {
            spec.put(field, text);
        }
    }

    private String collection() {
        return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    }

    @Override
    public String describe() {
        return namespace + "/" + name;
    }
}
