package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.DeviceFacts;
import io.berth.e2e.fixture.Manifest;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RealScheduler;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Devices are given to pods, as a user and a driver see it: what the claims say afterwards, and
/// what pods are told that get none. The same facts hold for the real kube-scheduler.
@Thorough
final class DevicesIT {
    @Nested
    @PackagedScheduler
    @RealControlPlane
    class Berth extends Facts {}

    @Nested
    @RealScheduler
    @RealControlPlane
    class KubeScheduler extends Facts {}

    abstract static class Facts extends DeviceFacts {
        private static final String NONE_LEFT =
                "%1$d cannot allocate all claims. still not schedulable, preemption: 0/%1$d nodes"
                        + " are available: %1$d Preemption is not helpful for scheduling.";

        @Test
        void claimFromATemplateGetsItsDevice() {
            node("a", "{}");
            node("b", "{}");
            gpuClass();
            slice("b", "[{name: 'g0'}, {name: 'g1'}]");
            awaitKnown(2, 0);
            pod(
                    "p",
                    "{cpu: '1'}",
                    "{spec: {resourceClaims: [{name: 'c', resourceClaimTemplateName: 't'}]}}");
            // What the controller of claims does.
            plane().admin()
                    .post(
                            claims(),
                            Manifest.of(
                                    """
                                    {apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim',
                                     metadata: {name: 'p-c', ownerReferences: [{apiVersion: 'v1',
                                       kind: 'Pod', name: 'p', uid: '%s', controller: true}]},
                                     spec: {devices: %s}}
                                    """
                                            .formatted(uidOf("p"), one(", count: 1"))))
                    .ok();
            patchStatus(
                    "/api/v1/namespaces/" + namespace() + "/pods/p",
                    "{status: {resourceClaimStatuses: [{name: 'c', resourceClaimName: 'p-c'}]}}");

            assertThat(placeOf("p")).isEqualTo("b");
            var claim = claimNow("p-c");
            assertThat(devicesOf("p-c")).containsExactly("r=b/g0");
            assertThat(claim.at("/status/allocation/devices/results/0"))
                    .hasToString(
                            Manifest.of(
                                    "{request: 'r', driver: '%s', pool: '%s', device: 'g0'}"
                                            .formatted(DRIVER, pool("b"))));
            assertThat(claim.at("/status/allocation/nodeSelector"))
                    .hasToString(
                            Manifest.of(
                                    """
                                    {nodeSelectorTerms: [{matchFields: [{key: 'metadata.name',
                                      operator: 'In', values: ['b']}]}]}
                                    """));
            assertThat(claim.at("/status/allocation/allocationTimestamp").isMissingNode())
                    .isFalse();
            assertThat(claim.at("/status/reservedFor"))
                    .hasToString(
                            Manifest.of(
                                            "{a: [{resource: 'pods', name: 'p', uid: '%s'}]}"
                                                    .formatted(uidOf("p")))
                                    .replaceFirst("^\\{\"a\":(.*)}$", "$1"));
            assertThat(claim.at("/metadata/finalizers"))
                    .hasToString("[\"resource.kubernetes.io/delete-protection\"]");
        }

        @Test
        void podWaitsForItsClaimAndThenForADevice() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{name: 'g0'}]");
            awaitKnown(1, 0);
            claim("c1", one(""));
            podWith("first", "c1", "");
            assertThat(placeOf("first")).isEqualTo("a");

            podWith("second", "c2", "");
            claim("c2", one(""));
            assertUnplaced("second", "0/1 nodes are available: " + NONE_LEFT.formatted(1));
            node("b", "{}");
            slice("b", "[{name: 'g0'}]");
            assertThat(placeOf("second")).isEqualTo("b");
            assertThat(devicesOf("c2")).containsExactly("r=b/g0");
        }

        @Test
        void sharedClaimBringsItsPodsTogether() {
            node("a", "{}");
            node("b", "{}");
            gpuClass();
            slice("a", "[{name: 'g0'}]");
            awaitKnown(2, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            assertThat(placeOf("p")).isEqualTo("a");
            podWith("q", "c", "");
            assertThat(placeOf("q")).isEqualTo("a");
            assertThat(consumersOf("c")).containsExactly("p", "q");
        }

        /// The API server keeps such parameters byte by byte, and a patch by which it would write
        /// them anew is refused: they must stay.
        @Test
        @Tag("DR-18")
        void parametersOfDriversStayAsTheyWereWritten() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{name: 'g0'}, {name: 'g1'}]");
            awaitKnown(1, 0);
            for (String parameters : List.of("{\"b\": 1, \"a\": 2}", "{\"z\":\"x<y\",\"c\":1}")) {
                String name = parameters.contains("<") ? "c1" : "c0";
                plane().admin()
                        .post(
                                claims(),
                                """
                                {"metadata": {"name": "%s"}, "spec": {"devices": {
                                 "requests": [{"name": "r",
                                   "exactly": {"deviceClassName": "gpu"}}],
                                 "config": [{"opaque": {"driver": "%s", "parameters": %s}}]}}}
                                """
                                        .formatted(name, DRIVER, parameters))
                        .ok();
                podWith("p-" + name, name, "");
                assertThat(placeOf("p-" + name)).isEqualTo("a");
                podWith("q-" + name, name, "");
                assertThat(placeOf("q-" + name)).isEqualTo("a");
                assertThat(consumersOf(name)).containsExactly("p-" + name, "q-" + name);
            }
        }

        @Test
        void unusedClaimGivesUpItsDeviceForAPodThatGoesElsewhere() {
            node("a", "{}");
            node("b", "{metadata: {labels: {disk: 'fast'}}}");
            gpuClass();
            slice("a", "[{name: 'g0'}]");
            awaitKnown(2, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            assertThat(placeOf("p")).isEqualTo("a");
            objects().deletePod("p");
            // What the controller of claims does; it would take the device away, too.
            patchStatus(claims() + "/c", "{status: {reservedFor: null}}");
            slice("b", "[{name: 'g0'}]");
            podWith("q", "c", ", nodeSelector: {disk: 'fast'}");
            assertThat(placeOf("q")).isEqualTo("b");
            assertThat(devicesOf("c")).containsExactly("r=b/g0");
            assertThat(consumersOf("c")).containsExactly("q");
        }

        @Test
        void nodeWithThePreferredAlternativeIsChosen() {
            node("a", "{}");
            node("b", "{}");
            gpuClass();
            slice("a", "[{name: 'g0', attributes: {size: {string: 'small'}}}]");
            slice("b", "[{name: 'g0', attributes: {size: {string: 'large'}}}]");
            awaitKnown(2, 0);
            claim(
                    "c",
                    """
                    {requests: [{name: 'r', firstAvailable: [
                      {name: 'huge', deviceClassName: 'gpu', selectors: [{cel: {expression:
                        'device.attributes["gpu.example.com"].size == "huge"'}}]},
                      {name: 'large', deviceClassName: 'gpu', selectors: [{cel: {expression:
                        'device.attributes["gpu.example.com"].size == "large"'}}]},
                      {name: 'any', deviceClassName: 'gpu'}]}]}
                    """);
            podWith("p", "c", "");
            assertThat(placeOf("p")).isEqualTo("b");
            assertThat(devicesOf("c")).containsExactly("r/large=b/g0");
        }

        @Test
        void devicesOfOneBoardAreFound() {
            node("a", "{}");
            gpuClass();
            slice(
                    "a",
                    """
                    [{name: 'g0', attributes: {board: {int: 1}}},
                     {name: 'g1', attributes: {board: {int: 2}}},
                     {name: 'g2', attributes: {board: {int: 2}}}]
                    """);
            awaitKnown(1, 0);
            claim(
                    "c",
                    """
                    {requests: [{name: 'r', exactly: {deviceClassName: 'gpu', count: 2}}],
                     constraints: [{matchAttribute: 'gpu.example.com/board'}]}
                    """);
            podWith("p", "c", "");
            assertThat(placeOf("p")).isEqualTo("a");
            assertThat(devicesOf("c")).containsExactly("r=a/g1", "r=a/g2");
        }

        @Test
        void partitionsShareWhatTheirDeviceHas() {
            node("a", "{}");
            gpuClass();
            slice(
                    "a",
                    "-counters",
                    2,
                    "nodeName: 'a', sharedCounters: [{name: 'gpu-0', counters: {memory: {value:"
                            + " '40Gi'}}}]");
            String part =
                    "{name: '%s', consumesCounters: [{counterSet: 'gpu-0', counters: {memory:"
                            + " {value: '%s'}}}]}";
            slice(
                    "a",
                    "-devices",
                    2,
                    "nodeName: 'a', devices: [%s, %s, %s]"
                            .formatted(
                                    part.formatted("whole", "40Gi"),
                                    part.formatted("half-0", "20Gi"),
                                    part.formatted("half-1", "20Gi")));
            awaitKnown(1, 0);
            claim("c1", one(", count: 2"));
            podWith("p", "c1", "");
            assertThat(placeOf("p")).isEqualTo("a");
            assertThat(devicesOf("c1")).containsExactly("r=a/half-0", "r=a/half-1");
            claim("c2", one(""));
            podWith("q", "c2", "");
            assertUnplaced("q", "0/1 nodes are available: " + NONE_LEFT.formatted(1));
        }

        @Test
        void capacityIsSharedUntilItIsGone() {
            node("a", "{}");
            gpuClass();
            slice(
                    "a",
                    "[{name: 'g0', allowMultipleAllocations: true,"
                            + " capacity: {memory: {value: '10Gi'}}}]");
            awaitKnown(1, 0);
            String share = one(", capacity: {requests: {memory: '4Gi'}}");
            for (String name : List.of("1", "2")) {
                claim("c" + name, share);
                podWith("p" + name, "c" + name, "");
                assertThat(placeOf("p" + name)).isEqualTo("a");
                var result = claimNow("c" + name).at("/status/allocation/devices/results/0");
                assertThat(result.at("/consumedCapacity")).hasToString("{\"memory\":\"4Gi\"}");
                assertThat(result.at("/shareID").asText()).hasSize(36);
            }
            claim("c3", share);
            podWith("p3", "c3", "");
            assertUnplaced("p3", "0/1 nodes are available: " + NONE_LEFT.formatted(1));
        }

        @Test
        void taintedDeviceIsForThoseWhoTolerateIt() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{name: 'g0', taints: [{key: 'broken', effect: 'NoSchedule'}]}]");
            awaitKnown(1, 0);
            claim("c1", one(""));
            podWith("p", "c1", "");
            assertUnplaced("p", "0/1 nodes are available: " + NONE_LEFT.formatted(1));
            claim("c2", one(", tolerations: [{key: 'broken', operator: 'Exists'}]"));
            podWith("q", "c2", "");
            assertThat(placeOf("q")).isEqualTo("a");
            assertThat(claimNow("c2").at("/status/allocation/devices/results/0/tolerations"))
                    .hasToString("[{\"key\":\"broken\",\"operator\":\"Exists\"}]");
        }

        @Test
        void administratorsSeeDevicesThatOthersHave() {
            plane().admin()
                    .patch(
                            "/api/v1/namespaces/" + namespace(),
                            Manifest.of(
                                    "{metadata: {labels: {'resource.kubernetes.io/admin-access':"
                                            + " 'true'}}}"))
                    .ok();
            node("a", "{}");
            gpuClass();
            slice("a", "[{name: 'g0'}]");
            awaitKnown(1, 0);
            claim("c1", one(""));
            podWith("p", "c1", "");
            assertThat(placeOf("p")).isEqualTo("a");
            claim("c2", one(", adminAccess: true"));
            podWith("q", "c2", "");
            assertThat(placeOf("q")).isEqualTo("a");
            assertThat(devicesOf("c2")).containsExactly("r=a/g0");
            assertThat(
                            claimNow("c2")
                                    .at("/status/allocation/devices/results/0/adminAccess")
                                    .asBoolean())
                    .isTrue();
        }

        @Test
        void devicesStandForAnExtendedResource() {
            node("a", "{}");
            node(
                    "b",
                    """
                    {status: {allocatable: {cpu: '10', memory: '10Gi', pods: '110',
                                            'example.com/gpu': '1'}}}
                    """);
            deviceClass("gpu", "{extendedResourceName: 'example.com/gpu'}");
            slice("a", "[{name: 'g0'}, {name: 'g1'}]");
            awaitKnown(2, 0);
            String two =
                    """
                    {spec: {containers: [{name: 'main', image: 'example/main:1', resources: {
                      requests: {cpu: '1', 'example.com/gpu': '%1$d'},
                      limits: {'example.com/gpu': '%1$d'}}}]}}
                    """;
            pod("p", "{}", two.formatted(2));
            assertThat(placeOf("p")).isEqualTo("a");
            var status = objects().pod("p").body().at("/status/extendedResourceClaimStatus");
            String claim = status.at("/resourceClaimName").asText();
            assertThat(claim).startsWith("p-extended-resources-");
            assertThat(status.at("/requestMappings"))
                    .hasToString(
                            "[{\"containerName\":\"main\",\"resourceName\":\"example.com/gpu\","
                                    + "\"requestName\":\"container-0-request-1\"}]");
            assertThat(devicesOf(claim))
                    .containsExactly("container-0-request-1=a/g0", "container-0-request-1=a/g1");
            assertThat(consumersOf(claim)).containsExactly("p");
            // The node where a device plugin offers the resource.
            pod("q", "{}", two.formatted(1));
            assertThat(placeOf("q")).isEqualTo("b");
            assertThat(
                            objects()
                                    .pod("q")
                                    .body()
                                    .at("/status/extendedResourceClaimStatus")
                                    .isMissingNode())
                    .isTrue();
        }

        @Test
        void selectorThatFailsIsTold() {
            node("a", "{}");
            deviceClass(
                    "gpu", "{selectors: [{cel: {expression: 'device.attributes[\"x\"].y == 1'}}]}");
            slice("a", "[{name: 'g0'}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            awaitRefusal(
                    "p",
                    "running \"DynamicResources\" filter plugin: class gpu: selector #0: CEL runtime"
                            + " error: no such key: y");
        }

        /// The API server reckons with a list of 30 numbers and accepts it; there are 900.
        @Test
        @Tag("DR-40")
        void selectorThatCostsTooMuchIsTold() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{name: 'g0'}]");
            awaitKnown(1, 0);
            claim(
                    "c",
                    one(
                            """
                            , selectors: [{cel: {expression: 'lists.range(30)
                              .map(x, lists.range(30)).flatten().distinct().size() > 0'}}]
                            """
                                    .replaceAll("\\s+", " ")));
            podWith("p", "c", "");
            awaitRefusal(
                    "p",
                    "running \"DynamicResources\" filter plugin: claim "
                            + namespace()
                            + "/c: selector #0: CEL runtime error: operation cancelled: actual cost"
                            + " limit exceeded");
        }

        @Test
        void podWaitsUntilItsDeviceIsAttached() {
            node("a", "{}");
            gpuClass();
            slice(
                    "a",
                    "[{name: 'g0', bindingConditions: ['Attached'], bindingFailureConditions:"
                            + " ['Failed']}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            objects().awaitEvent("p", "BindingConditionsPending", LIMIT, scheduler());
            assertThat(
                            objects()
                                    .events("p", "BindingConditionsPending")
                                    .getFirst()
                                    .at("/note")
                                    .asText())
                    .isEqualTo("waiting for binding conditions for device on node a");
            awaitClaim("c", claim -> !claim.at("/status/reservedFor").isMissingNode());
            assertThat(objects().pod("p").text("/spec/nodeName")).isEmpty();
            patchStatus(
                    claims() + "/c",
                    """
                    {status: {devices: [{driver: '%s', pool: '%s', device: 'g0', conditions: [
                      {type: 'Attached', status: 'True', reason: 'Done', message: '',
                       lastTransitionTime: '2026-01-01T00:00:00Z'}]}]}}
                    """
                            .formatted(DRIVER, pool("a")));
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        void taintThatComesLaterKeepsTheNextOneAway() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{name: 'g0'}, {name: 'g1'}]");
            awaitKnown(1, 0);
            claim("c1", one(""));
            podWith("p", "c1", "");
            assertThat(placeOf("p")).isEqualTo("a");
            String slice = API + "/resourceslices/" + pool("a");
            plane().admin()
                    .patch(
                            slice,
                            Manifest.of(
                                    """
                                    {spec: {devices: [{name: 'g0'}, {name: 'g1',
                                      taints: [{key: 'worn', effect: 'NoSchedule'}]}]}}
                                    """))
                    .ok();
            // Who has placed this one has seen the change: slices are heard of in order.
            node("b", "{metadata: {labels: {disk: 'fast'}}}");
            slice("b", "[{name: 'g0'}]");
            claim("c2", one(""));
            podWith("q", "c2", ", nodeSelector: {disk: 'fast'}");
            assertThat(placeOf("q")).isEqualTo("b");
            claim("c3", one(""));
            podWith("r", "c3", "");
            assertUnplaced("r", "0/2 nodes are available: " + NONE_LEFT.formatted(2));
            assertThat(devicesOf("c1")).as("who has a device keeps it").containsExactly("r=a/g0");
            plane().admin()
                    .patch(slice, Manifest.of("{spec: {devices: [{name: 'g0'}, {name: 'g1'}]}}"))
                    .ok();
            assertThat(placeOf("r")).isEqualTo("a");
            assertThat(devicesOf("c3")).containsExactly("r=a/g1");
        }

        /// What a device shares decides: the first choice for one request leaves nothing for the
        /// other, so it is taken back.
        @Test
        void choiceThatLeavesNothingForTheRestIsTakenBack() {
            node("a", "{}");
            gpuClass();
            slice(
                    "a",
                    "-counters",
                    2,
                    "nodeName: 'a', sharedCounters: [{name: 'gpu-0', counters: {memory: {value:"
                            + " '40Gi'}}}]");
            String part =
                    "{name: '%s', attributes: {size: {int: %d}}, consumesCounters: [{counterSet:"
                            + " 'gpu-0', counters: {memory: {value: '%s'}}}]}";
            slice(
                    "a",
                    "-devices",
                    2,
                    "nodeName: 'a', devices: [%s, %s, %s]"
                            .formatted(
                                    part.formatted("whole", 40, "40Gi"),
                                    part.formatted("half", 20, "20Gi"),
                                    part.formatted("quarter", 10, "10Gi")));
            awaitKnown(1, 0);
            claim(
                    "c",
                    """
                    {requests: [
                      {name: 'large', exactly: {deviceClassName: 'gpu', selectors: [{cel: {expression:
                        'device.attributes["gpu.example.com"].size >= 20'}}]}},
                      {name: 'small', exactly: {deviceClassName: 'gpu'}}]}
                    """);
            podWith("p", "c", "");
            assertThat(placeOf("p")).isEqualTo("a");
            assertThat(devicesOf("c")).containsExactly("large=a/half", "small=a/quarter");
        }

        /// The devices have to be attached before their pod is bound, so the claim is written long
        /// before the binding. In between the scheduler dies.
        @Test
        void schedulerThatDiesBetweenAllocationAndBindingLosesNothingAndDoublesNothing() {
            String devices =
                    """
                    [{name: 'g0', bindingConditions: ['Attached'], bindingFailureConditions: ['Failed']},
                     {name: 'g1', bindingConditions: ['Attached'], bindingFailureConditions: ['Failed']}]
                    """;
            node("a", "{}");
            node("b", "{}");
            gpuClass();
            slice("a", devices);
            slice("b", devices);
            awaitKnown(2, 0);
            claim("c", one(""));
            try (var first = mortal()) {
                podOf("mortal", "p", "c");
                first.process().await("content with the claim", LIMIT, () -> isReserved("c"));
                first.process().kill();
            }
            assertThat(objects().pod("p").text("/spec/nodeName")).isEmpty();
            var before = claimNow("c").at("/status");
            var given = before.at("/allocation/devices/results/0");

            try (var second = mortal()) {
                claim("d", one(""));
                podOf("mortal", "q", "d");
                second.process()
                        .await("content with the other claim", LIMIT, () -> isReserved("d"));
                assertThat(devicesOf("d")).doesNotContainAnyElementsOf(devicesOf("c"));
                patchStatus(
                        claims() + "/c",
                        """
                        {status: {devices: [{driver: '%s', pool: '%s', device: '%s', conditions: [
                          {type: 'Attached', status: 'True', reason: 'Done', message: '',
                           lastTransitionTime: '2026-01-01T00:00:00Z'}]}]}}
                        """
                                .formatted(
                                        DRIVER,
                                        given.at("/pool").asText(),
                                        given.at("/device").asText()));
                objects()
                        .awaitPod("p", LIMIT, second, pod -> !pod.text("/spec/nodeName").isEmpty());
            }
            var after = claimNow("c").at("/status");
            assertThat(after.at("/allocation")).isEqualTo(before.at("/allocation"));
            assertThat(after.at("/reservedFor")).isEqualTo(before.at("/reservedFor")).hasSize(1);
            assertThat(pool(objects().pod("p").text("/spec/nodeName")))
                    .isEqualTo(given.at("/pool").asText());
        }

        private boolean isReserved(String claim) {
            return !claimNow(claim).at("/status/reservedFor").isMissingNode();
        }

        private void podOf(String scheduler, String name, String claim) {
            podWith(name, claim, ", schedulerName: '" + scheduler + "'");
        }

        private SchedulerProcess mortal() {
            try {
                var file =
                        Files.writeString(
                                plane().folder().resolve("mortal-" + program().name() + ".yaml"),
                                """
                                apiVersion: kubescheduler.config.k8s.io/v1
                                kind: KubeSchedulerConfiguration
                                leaderElection: {leaderElect: false}
                                clientConnection: {kubeconfig: %s}
                                profiles: [{schedulerName: mortal}]
                                """
                                        .formatted(plane().schedulerKubeconfig()));
                return plane().start(program(), "--config=" + file);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write settings", e);
            }
        }
    }
}
