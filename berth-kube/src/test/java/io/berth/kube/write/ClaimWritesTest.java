package io.berth.kube.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceId;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.OpaqueConfig;
import io.berth.api.handle.ClusterException;
import io.berth.api.label.Requirement;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceClaim.Consumer;
import io.berth.api.model.ResourceClaim.DeviceStatus;
import io.berth.api.spec.NodeSelector;
import io.berth.api.write.Write;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import io.berth.kube.protobuf.Envelope;
import io.berth.kube.testing.ScriptedServer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What is sent of resource claims, word for word.
@Tag("DR-18")
class ClaimWritesTest {
    private static final DeviceAllocation ALLOCATION =
            new DeviceAllocation(
                    List.of(
                            new DeviceAllocation.Result(
                                    "r/s",
                                    new DeviceId("drv", "pool", "dev"),
                                    true,
                                    List.of(new DeviceToleration("k", "Exists", "", "", 5L)),
                                    List.of("Up"),
                                    List.of("Down"),
                                    "share",
                                    Map.of("memory", Quantity.parse("4Gi")))),
                    List.of(
                            new DeviceAllocation.Config(
                                    DeviceAllocation.FROM_CLASS,
                                    List.of("r"),
                                    new OpaqueConfig("drv", "{\"a\": [1]}"))),
                    new NodeSelector(
                            List.of(
                                    new NodeSelector.Term(
                                            List.of(),
                                            List.of(Requirement.is("metadata.name", "n"))))),
                    Instant.parse("2026-01-02T03:04:05.678Z"));

    private final Pod pod = Pod.builder("ns", "p").uid("u-p").build();
    private final ResourceClaim claim =
            new ResourceClaim(
                    "ns",
                    "c",
                    "u-c",
                    "7",
                    null,
                    false,
                    false,
                    false,
                    DeviceClaim.NOTHING,
                    null,
                    List.of(),
                    List.of());
    private ScriptedServer server;
    private ApiClient client;
    private HttpClusterWrites writes;
    private int code = 200;

    @BeforeEach
    void start() throws Exception {
        server =
                new ScriptedServer((request, answer) ->
                        answer.send(
                                code,
                                """
                                {"kind": "ResourceClaim", "metadata": {"name": "c",
                                 "namespace": "ns", "uid": "u-c", "resourceVersion": "8",
                                 "finalizers":
                                   ["resource.kubernetes.io/delete-protection"]},
                                 "status": {"reservedFor": [{"resource": "pods",
                                   "name": "p", "uid": "u-p"}]}}
                                """));
        client =
                new ApiClient(
                        Connection.plain(server.uri()), ClientOptions.DEFAULT.withRate(-1, 0));
        writes = new HttpClusterWrites(client);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private String sent(int index) {
        var request = server.requests().get(index);
        return request.verb() + " " + request.path() + " " + request.body();
    }

    @Test
    void answerIsTheClaim() {
        var receipt = writes.send(new Write.ProtectClaim(claim));
        assertThat(receipt.resourceVersion()).isEqualTo("8");
        assertThat(receipt.object())
                .isInstanceOfSatisfying(
                        ResourceClaim.class,
                        now -> {
                            assertThat(now.isProtected()).isTrue();
                            assertThat(now.isReservedFor(pod)).isTrue();
                        });
        assertThat(sent(0))
                .isEqualTo(
                        "PATCH /apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c"
                                + " {\"metadata\":{\"uid\":\"u-c\",\"resourceVersion\":\"7\","
                                + "\"finalizers\":[\"resource.kubernetes.io/delete-protection\"]}}");
    }

    /// As a real server answers: who wrote which field, the longest part, is passed over.
    @Test
    void answerInProtobufIsTheClaim() throws Exception {
        byte[] consumer =
                join(message(3, text("pods")), message(4, text("p")), message(5, text("u-p")));
        byte[] stored =
                object(
                        message(
                                1,
                                message(1, text("c")),
                                message(3, text("ns")),
                                metadata("8"),
                                message(14, text(ResourceClaim.FINALIZER)),
                                message(17, message(1, text("kube-scheduler")))),
                        message(3, message(2, consumer)));
        serve((request, answer) -> {
            assertThat(request.headers().get("accept")).startsWith(ApiRequest.PROTOBUF);
            answer.send(200, ApiRequest.PROTOBUF, stored);
        });
        var receipt = writes.send(new Write.ProtectClaim(claim));
        assertThat(receipt.resourceVersion()).isEqualTo("8");
        assertThat(receipt.object())
                .isEqualTo(
                        new ResourceClaim(
                                "ns",
                                "c",
                                "u-c",
                                "8",
                                null,
                                false,
                                true,
                                false,
                                DeviceClaim.NOTHING,
                                null,
                                List.of(Consumer.of(pod)),
                                List.of()));
    }

    @Test
    @Tag("DR-52")
    void allocationIsWrittenInFull() {
        var consumers = List.of(Consumer.of(pod));
        writes.send(new Write.SetClaimStatus(claim, claim.with(ALLOCATION, consumers, List.of())));
        assertThat(sent(0))
                .isEqualTo(
                        "PATCH /apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c/status"
                                + " {\"metadata\":{\"uid\":\"u-c\",\"resourceVersion\":\"7\"},"
                                + "\"status\":{\"allocation\":{\"devices\":{\"results\":[{"
                                + "\"request\":\"r/s\",\"driver\":\"drv\",\"pool\":\"pool\","
                                + "\"device\":\"dev\",\"adminAccess\":true,\"tolerations\":[{"
                                + "\"key\":\"k\",\"operator\":\"Exists\",\"tolerationSeconds\":5}],"
                                + "\"bindingConditions\":[\"Up\"],"
                                + "\"bindingFailureConditions\":[\"Down\"],\"shareID\":\"share\","
                                + "\"consumedCapacity\":{\"memory\":\"4Gi\"}}],\"config\":[{"
                                + "\"source\":\"FromClass\",\"requests\":[\"r\"],\"opaque\":{"
                                + "\"driver\":\"drv\",\"parameters\":{\"a\": [1]}}}]},"
                                + "\"nodeSelector\":{\"nodeSelectorTerms\":[{\"matchFields\":[{"
                                + "\"key\":\"metadata.name\",\"operator\":\"In\","
                                + "\"values\":[\"n\"]}]}]},"
                                + "\"allocationTimestamp\":\"2026-01-02T03:04:05Z\"},"
                                + "\"reservedFor\":[{\"resource\":\"pods\",\"name\":\"p\","
                                + "\"uid\":\"u-p\"}]}}");
    }

    @Test
    void reservationAloneLeavesTheAllocationAlone() {
        var allocated = claim.with(ALLOCATION, List.of(), List.of());
        writes.send(
                new Write.SetClaimStatus(
                        allocated,
                        allocated.with(ALLOCATION, List.of(Consumer.of(pod)), List.of())));
        assertThat(sent(0)).contains("\"status\":{\"reservedFor\":[");
    }

    /// A driver's parameters with blanks in them, or with keys in an order of their own, held up
    /// their pods for ever: the server writes them anew in a patch, and then finds them changed.
    @Test
    void claimWhoseParametersAPatchWouldChangeIsSentAsItIsKept() throws Exception {
        byte[] stored =
                object(
                        message(1, metadata("7")),
                        message(2, text("{\"b\": 1, \"a\": 2}")),
                        message(3, new byte[0]));
        var bodies = new ArrayList<byte[]>();
        refusePatches(stored, bodies);
        assertThat(writes.send(new Write.ProtectClaim(claim)).resourceVersion()).isEqualTo("8");
        assertThat(bodies)
                .containsExactly(
                        object(
                                message(
                                        1,
                                        metadata("7"),
                                        message(14, text(ResourceClaim.FINALIZER))),
                                message(2, text("{\"b\": 1, \"a\": 2}")),
                                message(3, new byte[0])));
    }

    @Test
    void reservationOfAClaimWhoseParametersAPatchWouldChange() throws Exception {
        byte[] status = message(1, text("what it has"));
        byte[] stored = object(message(1, metadata("7")), message(3, status));
        var bodies = new ArrayList<byte[]>();
        refusePatches(stored, bodies);
        var allocated = claim.with(ALLOCATION, List.of(), List.of());
        writes.send(
                new Write.SetClaimStatus(
                        allocated,
                        allocated.with(ALLOCATION, List.of(Consumer.of(pod)), List.of())));
        byte[] consumer =
                join(message(3, text("pods")), message(4, text("p")), message(5, text("u-p")));
        assertThat(bodies)
                .containsExactly(
                        object(
                                message(1, metadata("7")),
                                message(3, status, message(2, consumer))));
    }

    @Test
    void refusedPatchOfAClaimThatHasChangedSinceIsARefusal() throws Exception {
        var bodies = new ArrayList<byte[]>();
        refusePatches(object(message(1, metadata("9"))), bodies);
        assertThatThrownBy(() -> writes.send(new Write.ProtectClaim(claim)))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("field is immutable");
        assertThat(bodies).isEmpty();
    }

    /// A server of its own: it keeps bytes, and takes none but whole claims.
    private void refusePatches(byte[] stored, List<byte[]> bodies) throws Exception {
        serve((request, answer) -> {
            switch (request.verb()) {
                case "PATCH" ->
                        answer.send(
                                422,
                                """
                                {"kind": "Status", "code": 422, "reason": "Invalid",
                                 "message": "spec: field is immutable"}
                                """);
                case "GET" -> {
                    assertThat(request.headers().get("accept")).startsWith(ApiRequest.PROTOBUF);
                    answer.send(200, ApiRequest.PROTOBUF, stored);
                }
                default -> {
                    bodies.add(request.body().getBytes(StandardCharsets.UTF_8));
                    answer.send(
                            200,
                            """
                            {"kind": "ResourceClaim", "metadata": {"name": "c",
                             "namespace": "ns", "uid": "u-c", "resourceVersion": "8"}}
                            """);
                }
            }
        });
    }

    /// With another server than that of most tests.
    private void serve(ScriptedServer.Script script) throws Exception {
        stop();
        server = new ScriptedServer(script);
        client =
                new ApiClient(
                        Connection.plain(server.uri()), ClientOptions.DEFAULT.withRate(-1, 0));
        writes = new HttpClusterWrites(client);
    }

    private static byte[] metadata(String version) {
        return join(message(5, text("u-c")), message(6, text(version)));
    }

    private static byte[] object(byte[]... fields) {
        return join(
                Envelope.magic(),
                message(1, message(2, text("ResourceClaim"))),
                message(2, join(fields)));
    }

    private static byte[] message(int number, byte[]... parts) {
        byte[] content = join(parts);
        assertThat(content.length).isLessThan(128);
        int tag = number << 3 | 2;
        byte[] tagBytes =
                tag < 128
                        ? new byte[] {(byte) tag}
                        : new byte[] {(byte) (tag & 0x7f | 0x80), (byte) (tag >>> 7)};
        return join(tagBytes, new byte[] {(byte) content.length}, content);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] join(byte[]... parts) {
        var result = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            result.writeBytes(part);
        }
        return result.toByteArray();
    }

    @Test
    @Tag("DR-15")
    void deallocationTakesEverythingAway() {
        var status = new DeviceStatus(new DeviceId("drv", "pool", "dev"), null, List.of());
        var allocated = claim.with(ALLOCATION, List.of(Consumer.of(pod)), List.of(status));
        writes.send(
                new Write.SetClaimStatus(allocated, allocated.with(null, List.of(), List.of())));
        assertThat(sent(0))
                .contains("\"status\":{\"allocation\":null,\"reservedFor\":null,\"devices\":null}");
    }

    @Test
    @Tag("DR-20")
    void releaseNamesTheConsumerAlone() {
        writes.send(new Write.ReleaseClaim(claim, "u-p"));
        assertThat(sent(0))
                .isEqualTo(
                        "PATCH /apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c/status"
                                + " {\"metadata\":{\"uid\":\"u-c\"},\"status\":{\"reservedFor\":[{"
                                + "\"$patch\":\"delete\",\"uid\":\"u-p\"}]}}");
    }

    @Test
    @Tag("DR-20")
    void protectedClaimLosesItsMarkBeforeItIsDeleted() {
        writes.send(new Write.DeleteClaim(claim.asProtected()));
        assertThat(sent(0))
                .isEqualTo(
                        "PATCH /apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c"
                                + " {\"metadata\":{\"uid\":\"u-c\","
                                + "\"$deleteFromPrimitiveList/finalizers\":"
                                + "[\"resource.kubernetes.io/delete-protection\"]}}");
        assertThat(sent(1))
                .startsWith("DELETE /apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c ")
                .contains("\"preconditions\":{\"uid\":\"u-c\"}");
    }

    @Test
    @Tag("DR-61")
    void claimForExtendedResourcesBelongsToItsPod() {
        var ask =
                new Ask(
                        "container-0-request-1",
                        "gpu",
                        List.of(),
                        Ask.EXACT_COUNT,
                        2,
                        null,
                        List.of(),
                        null);
        writes.send(
                new Write.CreateClaim(
                        pod,
                        new DeviceClaim(
                                List.of(new DeviceClaim.Request(ask.name(), ask, List.of())),
                                List.of(),
                                List.of())));
        assertThat(sent(0))
                .isEqualTo(
                        "POST /apis/resource.k8s.io/v1/namespaces/ns/resourceclaims"
                                + " {\"kind\":\"ResourceClaim\",\"apiVersion\":\"resource.k8s.io/v1\","
                                + "\"metadata\":{\"namespace\":\"ns\","
                                + "\"generateName\":\"p-extended-resources-\",\"annotations\":{"
                                + "\"resource.kubernetes.io/extended-resource-claim\":\"true\"},"
                                + "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
                                + "\"name\":\"p\",\"uid\":\"u-p\",\"controller\":true}]},"
                                + "\"spec\":{\"devices\":{\"requests\":[{"
                                + "\"name\":\"container-0-request-1\",\"exactly\":{"
                                + "\"deviceClassName\":\"gpu\",\"allocationMode\":\"ExactCount\","
                                + "\"count\":2}}]}}}");
    }

    @Test
    @Tag("DR-64")
    void podIsToldWhichClaimStandsForItsResources() {
        writes.send(
                new Write.NameClaim(
                        pod,
                        new GeneratedClaims.Extended(
                                "p-extended-resources-x",
                                List.of(new GeneratedClaims.Mapping("main", "e.com/gpu", "r")))));
        assertThat(sent(0))
                .isEqualTo(
                        "PATCH /api/v1/namespaces/ns/pods/p/status"
                                + " {\"metadata\":{\"uid\":\"u-p\"},\"status\":{"
                                + "\"extendedResourceClaimStatus\":{"
                                + "\"resourceClaimName\":\"p-extended-resources-x\","
                                + "\"requestMappings\":[{\"containerName\":\"main\","
                                + "\"resourceName\":\"e.com/gpu\",\"requestName\":\"r\"}]}}}");
    }

    @Test
    void claimIsReadAgain() {
        assertThat(writes.read(Kind.RESOURCE_CLAIM, "ns", "c"))
                .isInstanceOfSatisfying(
                        ResourceClaim.class,
                        now -> assertThat(now.resourceVersion()).isEqualTo("8"));
        assertThat(sent(0))
                .startsWith("GET /apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c");
    }

    @Test
    void changedClaimIsAConflict() {
        code = 409;
        assertThatThrownBy(() -> writes.send(new Write.ProtectClaim(claim)))
                .isInstanceOfSatisfying(
                        ClusterException.class,
                        refused ->
                                assertThat(refused.kind())
                                        .isEqualTo(ClusterException.Kind.CONFLICT));
    }
}
