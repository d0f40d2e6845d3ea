package io.berth.kube.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.device.CounterSet;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceId;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.OpaqueConfig;
import io.berth.api.device.Reach;
import io.berth.api.label.Requirement;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Kind;
import io.berth.api.model.Owner;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Taint;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.ProtobufInput;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.testing.Json;
import io.berth.kube.testing.Protobuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/// Claims, slices and device classes are read from JSON and protobuf alike.
@Tag("P-123")
class DeviceKindsTest {
    private final Shared shared = new Shared();

    @Test
    void claimIsReadWithAllItSays() throws Exception {
        var claim =
                new ResourceClaim(
                        "ns",
                        "claim",
                        "u1",
                        "17",
                        new Owner("v1", "Pod", "p", "u2"),
                        true,
                        true,
                        true,
                        new DeviceClaim(
                                List.of(
                                        new DeviceClaim.Request(
                                                "gpu",
                                                new Ask(
                                                        "gpu",
                                                        "gpu.example.com",
                                                        List.of("true", "device.driver == 'x'"),
                                                        "ExactCount",
                                                        2,
                                                        true,
                                                        List.of(
                                                                new DeviceToleration(
                                                                        "k",
                                                                        "Equal",
                                                                        "v",
                                                                        "NoExecute",
                                                                        30L)),
                                                        Map.of("memory", Quantity.parse("10Gi"))),
                                                List.of()),
                                        new DeviceClaim.Request(
                                                "any",
                                                null,
                                                List.of(
                                                        new Ask(
                                                                "a",
                                                                "big",
                                                                List.of(""),
                                                                "All",
                                                                0,
                                                                null,
                                                                List.of(),
                                                                null),
                                                        new Ask(
                                                                "b",
                                                                "small",
                                                                List.of(),
                                                                "ExactCount",
                                                                1,
                                                                null,
                                                                List.of(
                                                                        new DeviceToleration(
                                                                                "", "Exists", "",
                                                                                "", null)),
                                                                Map.of())))),
                                List.of(
                                        new DeviceClaim.Constraint(
                                                List.of("gpu", "any/a"), "example.com/numa", null),
                                        new DeviceClaim.Constraint(
                                                List.of(), null, "example.com/board")),
                                List.of(
                                        new DeviceClaim.Config(
                                                List.of("gpu"),
                                                new OpaqueConfig("x", "{\"a\":{\"b\":[1,2]}}")))),
                        new DeviceAllocation(
                                List.of(
                                        new DeviceAllocation.Result(
                                                "any/b",
                                                new DeviceId("x", "pool", "d1"),
                                                false,
                                                List.of(
                                                        new DeviceToleration(
                                                                "", "Exists", "", "", null)),
                                                List.of("Ready"),
                                                List.of("Broken"),
                                                "share",
                                                Map.of("memory", Quantity.parse("1Gi")))),
                                List.of(
                                        new DeviceAllocation.Config(
                                                "FromClass",
                                                List.of("gpu"),
                                                new OpaqueConfig("x", "{}"))),
                                new NodeSelector(
                                        List.of(
                                                new NodeSelector.Term(
                                                        List.of(),
                                                        List.of(
                                                                Requirement.is(
                                                                        "metadata.name", "n1"))))),
                                Instant.parse("2026-01-02T03:04:05Z")),
                        List.of(new ResourceClaim.Consumer("", "pods", "p", "u2")),
                        List.of(
                                new ResourceClaim.DeviceStatus(
                                        new DeviceId("x", "pool", "d1"),
                                        "share",
                                        List.of(
                                                new ResourceClaim.Condition(
                                                        "Ready", "True", "Done", "well")))));
        assertThat(
                        bothWays(
                                Kind.RESOURCE_CLAIM,
                                "ResourceClaim",
                                """
                                {metadata: {namespace: ns, name: claim, uid: u1, resourceVersion: "17",
                                  deletionTimestamp: "2026-01-02T03:04:05Z",
                                  annotations: {resource.kubernetes.io/extended-resource-claim: "true"},
                                  finalizers: [other, resource.kubernetes.io/delete-protection],
                                  ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u2, controller: true}]},
                                spec: {devices: {
                                  requests: [
                                    {name: gpu, exactly: {deviceClassName: gpu.example.com,
                                      selectors: [{cel: {expression: "true"}}, {cel: {expression: "device.driver == 'x'"}}],
                                      allocationMode: ExactCount, count: 2, adminAccess: true,
                                      tolerations: [{key: k, operator: Equal, value: v, effect: NoExecute, tolerationSeconds: 30}],
                                      capacity: {requests: {memory: 10Gi}}}},
                                    {name: any, firstAvailable: [
                                      {name: a, deviceClassName: big, selectors: [{}], allocationMode: All},
                                      {name: b, deviceClassName: small, allocationMode: ExactCount, count: 1,
                                       tolerations: [{operator: Exists}], capacity: {}}]}],
                                  constraints: [{requests: [gpu, any/a], matchAttribute: example.com/numa},
                                    {distinctAttribute: example.com/board}],
                                  config: [{requests: [gpu], opaque: {driver: x, parameters: {a: {b: [1, 2]}}}}]}},
                                status: {
                                  allocation: {
                                    devices: {
                                      results: [{request: any/b, driver: x, pool: pool, device: d1, adminAccess: false,
                                        tolerations: [{operator: Exists}], bindingConditions: [Ready],
                                        bindingFailureConditions: [Broken], shareID: share,
                                        consumedCapacity: {memory: 1Gi}}],
                                      config: [{source: FromClass, requests: [gpu], opaque: {driver: x, parameters: {}}}]},
                                    nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]},
                                    allocationTimestamp: "2026-01-02T03:04:05Z"},
                                  reservedFor: [{resource: pods, name: p, uid: u2}],
                                  devices: [{driver: x, pool: pool, device: d1, shareID: share,
                                    conditions: [{type: Ready, status: "True", reason: Done, message: well,
                                      lastTransitionTime: "2026-01-02T03:04:05Z"}]}]}}
                                """))
                .isEqualTo(claim);
    }

    @Test
    void sliceIsReadWithItsDevices() throws Exception {
        var reach =
                new Reach(
                        "",
                        false,
                        new NodeSelector(
                                List.of(
                                        new NodeSelector.Term(
                                                List.of(Requirement.is("zone", "a")), List.of()))));
        var device =
                new Device(
                        "d1",
                        Map.of(
                                "i", new DeviceAttribute.Int(-3),
                                "b", new DeviceAttribute.Bool(false),
                                "example.com/s", new DeviceAttribute.Text(""),
                                "v", new DeviceAttribute.Version("1.2.3"),
                                "l", new DeviceAttribute.Unsupported()),
                        Map.of(
                                "memory",
                                new Device.Capacity(
                                        Quantity.parse("10Gi"),
                                        new Device.Policy(
                                                Quantity.parse("1Gi"),
                                                List.of(),
                                                new Device.Range(
                                                        Quantity.parse("1Gi"),
                                                        Quantity.parse("8Gi"),
                                                        Quantity.parse("512Mi")))),
                                "cores",
                                new Device.Capacity(
                                        Quantity.of(8),
                                        new Device.Policy(
                                                null,
                                                List.of(Quantity.of(1), Quantity.of(2)),
                                                null))),
                        List.of(
                                new CounterSet(
                                        "set", Map.of("c", Quantity.of(1), "d", Quantity.of(2)))),
                        reach,
                        List.of(new Taint("k", "v", "NoSchedule")),
                        true,
                        List.of("Ready"),
                        List.of("Broken"),
                        true);
        assertThat(
                        bothWays(
                                Kind.RESOURCE_SLICE,
                                "ResourceSlice",
                                """
                                {metadata: {name: s},
                                spec: {driver: x, pool: {name: pool, generation: 3, resourceSliceCount: 2},
                                  perDeviceNodeSelection: true,
                                  devices: [{name: d1,
                                    attributes: {i: {int: -3}, b: {bool: false}, example.com/s: {string: ""},
                                      v: {version: 1.2.3}, l: {ints: [1, 2]}},
                                    capacity: {
                                      memory: {value: 10Gi, requestPolicy: {default: 1Gi,
                                        validRange: {min: 1Gi, max: 8Gi, step: 512Mi}}},
                                      cores: {value: "8", requestPolicy: {validValues: ["1", "2"]}}},
                                    consumesCounters: [{counterSet: set, counters: {c: {value: "1"}, d: {value: "2"}}}],
                                    nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]},
                                    taints: [{key: k, value: v, effect: NoSchedule, timeAdded: "2026-01-02T03:04:05Z"}],
                                    bindsToNode: true, bindingConditions: [Ready],
                                    bindingFailureConditions: [Broken], allowMultipleAllocations: true}],
                                  sharedCounters: [{name: set, counters: {c: {value: "4"}}}]}}
                                """))
                .isEqualTo(
                        new ResourceSlice(
                                "s",
                                "x",
                                new ResourceSlice.Pool("pool", 3, 2),
                                Reach.NOWHERE,
                                true,
                                List.of(device),
                                List.of(new CounterSet("set", Map.of("c", Quantity.of(4))))));
        assertThat(
                        bothWays(
                                Kind.RESOURCE_SLICE,
                                "ResourceSlice",
                                "{metadata: {name: s}, spec: {driver: x, pool: {name: p}, nodeName: n,"
                                        + " devices: [{name: d}]}}"))
                .isEqualTo(
                        new ResourceSlice(
                                "s",
                                "x",
                                new ResourceSlice.Pool("p", 0, 0),
                                Reach.of("n"),
                                null,
                                List.of(Device.of("d", Map.of())),
                                List.of()));
    }

    @Test
    void deviceClassIsRead() throws Exception {
        assertThat(
                        bothWays(
                                Kind.DEVICE_CLASS,
                                "DeviceClass",
                                "{metadata: {name: c, creationTimestamp: \"2026-01-02T03:04:05Z\"}, spec:"
                                        + " {selectors: [{cel: {expression: \"true\"}}], config:"
                                        + " [{opaque: {driver: x, parameters: {a: 1}}}],"
                                        + " extendedResourceName: example.com/gpu}}"))
                .isEqualTo(
                        new DeviceClass(
                                "c",
                                Instant.parse("2026-01-02T03:04:05Z"),
                                List.of("true"),
                                List.of(new OpaqueConfig("x", "{\"a\":1}")),
                                "example.com/gpu"));
    }

    /// Reads an object, written as YAML here, in both encodings.
    private @Nullable ClusterObject bothWays(Kind kind, String name, String yaml)
            throws IOException {
        var tree = new Yaml().<Map<String, Object>>load(yaml);
        Decoded fromJson;
        byte[] json = Json.text(tree).getBytes(StandardCharsets.UTF_8);
        try (var in = new JsonInput(json, shared)) {
            in.nextValue();
            fromJson = new ObjectReader(kind, false).read(in);
        }
        byte[] bytes = Protobuf.object(name, tree);
        var in =
                new ProtobufInput(shared)
                        .reset(bytes, 0, bytes.length, KindTable.of(kind).schema());
        assertThat(new ObjectReader(kind, false).read(in)).isEqualTo(fromJson);
        return fromJson.object();
    }
}
