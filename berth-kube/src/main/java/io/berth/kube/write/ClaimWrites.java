package io.berth.kube.write;

import static io.berth.kube.write.HttpClusterWrites.deletion;
import static io.berth.kube.write.HttpClusterWrites.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.handle.ClusterException;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceClaim.Consumer;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.codec.AnyReader;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.wire.Shared;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// What the scheduler writes of resource claims, as patches of what changes. Upstream sends whole
/// objects, of which Berth keeps but a part.
final class ClaimWrites {
    /// The server's answer to what would change a field that must stay, among others.
    private static final int INVALID = 422;

    private final ApiClient client;

    /// One for all answers: it is far larger than what is read with it.
    private final Shared shared = new Shared();

    ClaimWrites(ApiClient client) {
        this.client = client;
    }

    Receipt send(Write.OfDevices write, Departure departure) {
        return switch (write) {
            case Write.ProtectClaim(var claim) ->
                    answered(
                            claim,
                            protection(claim),
                            path(claim),
                            StoredClaim::asProtected,
                            departure);
            case Write.SetClaimStatus(var claim, var wanted) -> {
                var request = status(claim, wanted);
                yield isReservation(claim, wanted)
                        ? answered(
                                claim,
                                request,
                                path(claim) + "/status",
                                stored -> stored.reservedFor(newConsumers(claim, wanted)),
                                departure)
                        : answered(request, departure);
            }
            case Write.ReleaseClaim(var claim, var consumer) ->
                    carryOut(release(claim, consumer), departure);
            case Write.CreateClaim(var pod, var spec) -> answered(creation(pod, spec), departure);
            case Write.DeleteClaim(var claim) -> {
                if (claim.isProtected()) {
                    carryOut(unprotection(claim), departure);
                }
                yield carryOut(deletion(path(claim), claim.uid()), new Departure());
            }
            case Write.NameClaim(var pod, var extended) ->
                    carryOut(naming(pod, extended), departure);
        };
    }

    ClusterObject read(Kind kind, String namespace, String name, Duration limit) {
        var request = ApiRequest.get(kind.path(namespace, name)).within(limit);
        return decoded(
                kind, client.send(KindTable.has(kind) ? request.inAnyEncoding() : request).body());
    }

    private Receipt carryOut(ApiRequest request, Departure departure) {
        client.carryOut(request.with(departure));
        return Receipt.SENT;
    }

    private Receipt answered(ApiRequest request, Departure departure) {
        // In protobuf what nobody reads, such as who wrote which field, is passed over by its
        // length.
        var answer = client.send(request.inAnyEncoding().with(departure));
        var claim = (ResourceClaim) decoded(Kind.RESOURCE_CLAIM, answer.body());
        return Receipt.of(claim, claim.resourceVersion());
    }

    private interface Addition {
        byte[] to(StoredClaim claim) throws IOException;
    }

    /// Sends a patch, and the whole claim where the server finds that the patch would change what
    /// must stay: it writes parameters for drivers anew.
    private Receipt answered(
            ResourceClaim claim,
            ApiRequest patch,
            String path,
            Addition addition,
            Departure departure) {
        try {
            return answered(patch, departure);
        } catch (ApiException refused) {
            if (refused.code() != INVALID) {
                throw refused;
            }
            byte[] whole = whole(claim, addition, refused);
            return answered(ApiRequest.put(path, ApiRequest.PROTOBUF, whole), departure);
        }
    }

    /// @param refused thrown where the claim has changed since, or does not come in protobuf
    private byte[] whole(ResourceClaim claim, Addition addition, ApiException refused) {
        byte[] body = client.send(ApiRequest.get(path(claim)).inProtobuf()).body();
        try {
            var stored = new StoredClaim(body);
            if (stored.is(claim)) {
                return addition.to(stored);
            }
        } catch (IOException malformed) {
            refused.addSuppressed(malformed);
        }
        throw refused;
    }

    /// Whether a claim that has devices gets more users, and nothing else changes.
    private static boolean isReservation(ResourceClaim claim, ResourceClaim wanted) {
        int before = claim.reservedFor().size();
        return claim.allocation() != null
                && claim.allocation().equals(wanted.allocation())
                && claim.devices().equals(wanted.devices())
                && wanted.reservedFor().size() > before
                && wanted.reservedFor().subList(0, before).equals(claim.reservedFor());
    }

    private static List<Consumer> newConsumers(ResourceClaim claim, ResourceClaim wanted) {
        int before = claim.reservedFor().size();
        return wanted.reservedFor().subList(before, wanted.reservedFor().size());
    }

    private ClusterObject decoded(Kind kind, byte[] body) {
        try {
            return new AnyReader(shared).read(body, kind).orElseThrow(() -> unreadable(kind, null));
        } catch (IOException malformed) {
            throw unreadable(kind, malformed);
        }
    }

    private static ClusterException unreadable(
            Kind kind, @org.jspecify.annotations.Nullable IOException cause) {
        String message = "the API server's answer about " + kind.plural() + " cannot be read";
        return cause == null
                ? new ClusterException(ClusterException.Kind.TIMEOUT, message)
                : new ClusterException(ClusterException.Kind.TIMEOUT, message, cause);
    }

    private static String path(ResourceClaim claim) {
        return Kind.RESOURCE_CLAIM.path(claim.namespace(), claim.name());
    }

    private static ApiRequest protection(ResourceClaim claim) {
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeObjectFieldStart("metadata");
                    writeVersion(out, claim);
                    out.writeArrayFieldStart("finalizers");
                    out.writeString(ResourceClaim.FINALIZER);
                    out.writeEndArray();
                    out.writeEndObject();
                    out.writeEndObject();
                });
        return ApiRequest.patch(path(claim), ApiRequest.STRATEGIC_MERGE_PATCH, body);
    }

    private static ApiRequest unprotection(ResourceClaim claim) {
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeObjectFieldStart("metadata");
                    out.writeStringField("uid", claim.uid());
                    out.writeArrayFieldStart("$deleteFromPrimitiveList/finalizers");
                    out.writeString(ResourceClaim.FINALIZER);
                    out.writeEndArray();
                    out.writeEndObject();
                    out.writeEndObject();
                });
        return ApiRequest.patch(path(claim), ApiRequest.STRATEGIC_MERGE_PATCH, body);
    }

    /// Names the version, so that a claim that has changed since is left alone.
    private static void writeVersion(JsonGenerator out, ResourceClaim claim) throws IOException {
        out.writeStringField("uid", claim.uid());
        out.writeStringField("resourceVersion", claim.resourceVersion());
    }

    private static ApiRequest status(ResourceClaim claim, ResourceClaim wanted) {
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeObjectFieldStart("metadata");
                    writeVersion(out, claim);
                    out.writeEndObject();
                    out.writeObjectFieldStart("status");
                    writeAllocation(out, claim, wanted);
                    if (!claim.reservedFor().equals(wanted.reservedFor())) {
                        writeConsumers(out, wanted.reservedFor());
                    }
                    if (wanted.devices().isEmpty() && !claim.devices().isEmpty()) {
                        out.writeNullField("devices");
                    }
                    out.writeEndObject();
                    out.writeEndObject();
                });
        return ApiRequest.patch(path(claim) + "/status", ApiRequest.MERGE_PATCH, body);
    }

    /// Of an allocation that is there nothing changes but the time at which it was made.
    private static void writeAllocation(
            JsonGenerator out, ResourceClaim claim, ResourceClaim wanted) throws IOException {
        DeviceAllocation before = claim.allocation();
        DeviceAllocation after = wanted.allocation();
        if (after == null) {
            if (before != null) {
                out.writeNullField("allocation");
            }
        } else if (before == null) {
            out.writeFieldName("allocation");
            DeviceJson.writeAllocation(out, after);
        } else if (!Objects.equals(before.allocatedAt(), after.allocatedAt())) {
            out.writeObjectFieldStart("allocation");
            DeviceJson.writeTime(out, after);
            out.writeEndObject();
        }
    }

    private static void writeConsumers(JsonGenerator out, List<Consumer> consumers)
            throws IOException {
        if (consumers.isEmpty()) {
            out.writeNullField("reservedFor");
            return;
        }
        out.writeArrayFieldStart("reservedFor");
        for (var consumer : consumers) {
            out.writeStartObject();
            if (!consumer.group().isEmpty()) {
                out.writeStringField("apiGroup", consumer.group());
            }
            out.writeStringField("resource", consumer.resource());
            out.writeStringField("name", consumer.name());
            out.writeStringField("uid", consumer.uid());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /// The one entry, whatever else stands there by now.
    private static ApiRequest release(ResourceClaim claim, String consumer) {
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeObjectFieldStart("metadata");
                    out.writeStringField("uid", claim.uid());
                    out.writeEndObject();
                    out.writeObjectFieldStart("status");
                    out.writeArrayFieldStart("reservedFor");
                    out.writeStartObject();
                    out.writeStringField("$patch", "delete");
                    out.writeStringField("uid", consumer);
                    out.writeEndObject();
                    out.writeEndArray();
                    out.writeEndObject();
                    out.writeEndObject();
                });
        return ApiRequest.patch(path(claim) + "/status", ApiRequest.STRATEGIC_MERGE_PATCH, body);
    }

    private static ApiRequest creation(Pod pod, DeviceClaim spec) {
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeStringField("kind", "ResourceClaim");
                    out.writeStringField("apiVersion", "resource.k8s.io/v1");
                    out.writeObjectFieldStart("metadata");
                    out.writeStringField("namespace", pod.namespace());
                    out.writeStringField("generateName", pod.name() + "-extended-resources-");
                    out.writeObjectFieldStart("annotations");
                    out.writeStringField(ResourceClaim.EXTENDED_ANNOTATION, "true");
                    out.writeEndObject();
                    out.writeArrayFieldStart("ownerReferences");
                    out.writeStartObject();
                    out.writeStringField("apiVersion", "v1");
                    out.writeStringField("kind", "Pod");
                    out.writeStringField("name", pod.name());
                    out.writeStringField("uid", pod.uid());
                    out.writeBooleanField("controller", true);
                    out.writeEndObject();
                    out.writeEndArray();
                    out.writeEndObject();
                    out.writeObjectFieldStart("spec");
                    out.writeObjectFieldStart("devices");
                    DeviceJson.writeRequests(out, spec.requests());
                    out.writeEndObject();
                    out.writeEndObject();
                    out.writeEndObject();
                });
        String namespace = "/apis/resource.k8s.io/v1/namespaces/" + pod.namespace();
        return ApiRequest.create(namespace + "/" + Kind.RESOURCE_CLAIM.plural(), body);
    }

    private static ApiRequest naming(Pod pod, GeneratedClaims.Extended extended) {
        byte[] body =
                json(out -> {
                    out.writeStartObject();
                    out.writeObjectFieldStart("metadata");
                    out.writeStringField("uid", pod.uid());
                    out.writeEndObject();
                    out.writeObjectFieldStart("status");
                    out.writeObjectFieldStart("extendedResourceClaimStatus");
                    out.writeStringField("resourceClaimName", extended.claimName());
                    out.writeArrayFieldStart("requestMappings");
                    for (var mapping : extended.mappings()) {
                        out.writeStartObject();
                        out.writeStringField("containerName", mapping.container());
                        out.writeStringField("resourceName", mapping.resource());
                        out.writeStringField("requestName", mapping.request());
                        out.writeEndObject();
                    }
                    out.writeEndArray();
                    out.writeEndObject();
                    out.writeEndObject();
                    out.writeEndObject();
                });
        return ApiRequest.patch(
                Kind.POD.path(pod.namespace(), pod.name()) + "/status",
                ApiRequest.STRATEGIC_MERGE_PATCH,
                body);
    }
}
