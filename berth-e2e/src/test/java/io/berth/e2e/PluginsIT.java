package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RealScheduler;
import io.berth.e2e.fixture.SchedulerFacts;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Every plugin of the default profile acts, as a user sees it: where pods land, and what `kubectl
/// describe` says about those that do not. The same facts hold for the real kube-scheduler.
@Thorough
final class PluginsIT {
    @Nested
    @PackagedScheduler
    @RealControlPlane
    class Berth extends Facts {}

    @Nested
    @RealScheduler
    @RealControlPlane
    class KubeScheduler extends Facts {}

    abstract static class Facts extends SchedulerFacts {
        private static final String ONE = "{cpu: '1', memory: '1Gi'}";

        /// The sentence about pods without a place; its middle part is what DynamicResources says
        /// about pods without claims.
        private static String noPlace(int nodes, String why, String preemption) {
            String none = "0/" + nodes + " nodes are available: ";
            return none
                    + why
                    + ". no new claims to deallocate, preemption: "
                    + none
                    + preemption
                    + ".";
        }

        private static String preemptionDoesNotHelp(int nodes, String why) {
            return noPlace(nodes, why, nodes + " Preemption is not helpful for scheduling");
        }

        @Test
        void schedulingGatesHoldAPodUntilTheLastIsRemoved() {
            node("a", "{}");
            pod("gated", ONE, "{spec: {schedulingGates: [{name: 'example.com/a'}]}}");
            pod("free", ONE, "{}");

            assertThat(placeOf("free")).isEqualTo("a");
            assertThat(scheduled("gated").at("/reason").asText()).isEqualTo("SchedulingGated");
            assertThat(plane().kubectl().run("get", "pod", "gated", "-n", namespace()).ok())
                    .contains("SchedulingGated");
            assertThat(objects().events("gated", "FailedScheduling")).isEmpty();

            plane().admin()
                    .patch(
                            "/api/v1/namespaces/" + namespace() + "/pods/gated",
                            "{\"spec\":{\"schedulingGates\":null}}")
                    .ok();
            assertThat(placeOf("gated")).isEqualTo("a");
        }

        @Test
        void nodeUnschedulableKeepsPodsOffACordonedNode() {
            node("a", "{spec: {unschedulable: true}}");
            awaitKnown(1, 0);
            pod("p", ONE, "{}");

            assertUnplaced("p", preemptionDoesNotHelp(1, "1 node(s) were unschedulable"));
            plane().kubectl().run("uncordon", "a").ok();
            assertThat(placeOf("p")).isEqualTo("a");
        }

        /// The filter has nothing to do for a scheduler: a pod that names its node is taken as it
        /// is, and what it asks for is gone from the node.
        @Test
        void nodeNameOfAPodIsKeptAndItsRequestsCount() {
            node("a", "{}");
            podOn("a", "named", "{cpu: '8'}");
            awaitKnown(1, 1);
            pod("p", "{cpu: '3'}", "{}");

            assertUnplaced(
                    "p",
                    noPlace(
                            1,
                            "1 Insufficient cpu",
                            "1 No preemption victims found for incoming pod"));
            assertThat(objects().pod("named").text("/spec/nodeName")).isEqualTo("a");
            assertThat(objects().events("named", "Scheduled")).isEmpty();
        }

        @Test
        void taintTolerationRefusesAndPrefers() {
            node("a", "{spec: {taints: [{key: 'only', value: 'x', effect: 'NoSchedule'}]}}");
            awaitKnown(1, 0);
            pod("p", ONE, "{}");
            assertUnplaced("p", preemptionDoesNotHelp(1, "1 node(s) had untolerated taint(s)"));
            pod("q", ONE, "{spec: {tolerations: [{key: 'only', operator: 'Exists'}]}}");
            assertThat(placeOf("q")).isEqualTo("a");

            node("b", "{spec: {taints: [{key: 'soft', effect: 'PreferNoSchedule'}]}}");
            assertThat(placeOf("p")).isEqualTo("b");
            node("c", "{}");
            awaitKnown(3, 2);
            podOn("c", "busy", "{cpu: '4', memory: '4Gi'}");
            awaitKnown(3, 3);
            pod("r", ONE, "{}");
            // The taint weighs more than that the other node is emptier.
            assertThat(placeOf("r")).isEqualTo("c");
        }

        @Test
        void nodeAffinityRefusesAndPrefers() {
            node("a", "{metadata: {labels: {disk: 'slow'}}}");
            node("b", "{metadata: {labels: {disk: 'fast'}}}");
            awaitKnown(2, 0);
            pod("lost", ONE, "{spec: {nodeSelector: {disk: 'tape'}}}");
            assertUnplaced(
                    "lost",
                    preemptionDoesNotHelp(
                            2, "2 node(s) didn't match Pod's node affinity/selector"));

            pod("selects", ONE, "{spec: {nodeSelector: {disk: 'slow'}}}");
            assertThat(placeOf("selects")).isEqualTo("a");
            podOn("b", "busy", "{cpu: '5', memory: '5Gi'}");
            awaitKnown(2, 2);
            pod(
                    "prefers",
                    ONE,
                    """
                    {spec: {affinity: {nodeAffinity: {
                      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 100, preference: {
                        matchExpressions: [{key: 'disk', operator: 'In', values: ['fast']}]}}]}}}}
                    """);
            assertThat(placeOf("prefers")).isEqualTo("b");
        }

        @Test
        void nodePortsGivesAPortOfANodeToOnePod() {
            String withPort =
                    """
                    {spec: {containers: [{name: 'main', image: 'example/main:1',
                                          ports: [{containerPort: 80, hostPort: 8080}]}]}}
                    """;
            node("a", "{}");
            awaitKnown(1, 0);
            pod("first", "{}", withPort);
            assertThat(placeOf("first")).isEqualTo("a");
            pod("second", "{}", withPort);

            assertUnplaced(
                    "second",
                    noPlace(
                            1,
                            "1 node(s) didn't have free ports for the requested pod ports",
                            "1 No preemption victims found for incoming pod"));
            objects().deletePod("first");
            assertThat(placeOf("second")).isEqualTo("a");
        }

        @Test
        void nodeResourcesFitNamesWhatIsMissing() {
            node("a", "{status: {allocatable: {cpu: '1', memory: '10Gi', pods: '110'}}}");
            node("b", "{status: {allocatable: {cpu: '10', memory: '1Gi', pods: '110'}}}");
            node("c", "{status: {allocatable: {cpu: '10', memory: '10Gi', pods: '0'}}}");
            awaitKnown(3, 0);
            pod("p", "{cpu: '2', memory: '2Gi'}", "{}");
            assertUnplaced(
                    "p",
                    noPlace(
                            3,
                            "1 Insufficient cpu, 1 Insufficient memory, 1 Too many pods",
                            "1 No preemption victims found for incoming pod, 2 Preemption is not"
                                    + " helpful for scheduling"));
        }

        @Test
        void nodeResourcesFitPrefersTheEmptierNode() {
            node("a", "{}");
            node("b", "{}");
            podOn("a", "busy", "{cpu: '5', memory: '5Gi'}");
            awaitKnown(2, 1);
            pod("p", ONE, "{}");
            assertThat(placeOf("p")).isEqualTo("b");
        }

        /// With the pod both nodes are equally full, but it evens one out and unsettles the other.
        @Test
        void balancedAllocationPrefersTheNodeThatBecomesEven() {
            node("a", "{}");
            node("b", "{}");
            podOn("a", "lacks-cpu", "{cpu: '2', memory: '4Gi'}");
            podOn("b", "lacks-memory", "{cpu: '4', memory: '2Gi'}");
            awaitKnown(2, 2);
            pod("p", "{cpu: '2', memory: '1Mi'}", "{}");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        void podTopologySpreadKeepsZonesLevel() {
            String spread =
                    """
                    {metadata: {labels: {app: 'web'}},
                     spec: {topologySpreadConstraints: [{maxSkew: 1, topologyKey: 'zone',
                       whenUnsatisfiable: 'DoNotSchedule',
                       labelSelector: {matchLabels: {app: 'web'}}}]}}
                    """;
            node("a", "{metadata: {labels: {zone: 'north'}}}");
            // It has room for one pod.
            node(
                    "b",
                    "{metadata: {labels: {zone: 'south'}},"
                            + " status: {allocatable: {cpu: '1', memory: '1Gi', pods: '110'}}}");
            node("c", "{}");
            awaitKnown(3, 0);
            for (var name : List.of("one", "two", "three")) {
                pod(name, ONE, spread);
                placeOf(name);
            }
            assertThat(List.of(placeOf("one"), placeOf("two"), placeOf("three")))
                    .containsExactlyInAnyOrder("a", "b", "a");
            pod("four", ONE, spread);

            assertUnplaced(
                    "four",
                    noPlace(
                            3,
                            "1 Insufficient cpu, 1 Insufficient memory, 1 node(s) didn't match pod"
                                    + " topology spread constraints, 1 node(s) didn't match pod"
                                    + " topology spread constraints (missing required label)",
                            "1 Preemption is not helpful for scheduling, 2 No preemption victims"
                                    + " found for incoming pod"));
        }

        @Test
        void interPodAffinityBringsTogetherAndKeepsApart() {
            String terms =
                    """
                    {metadata: {labels: {app: '%s'}},
                     spec: {affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [
                       {topologyKey: 'kubernetes.io/hostname',
                        labelSelector: {matchLabels: {app: '%s'}}}]}}}}
                    """;
            node("a", "{}");
            node("b", "{}");
            podOn("a", "busy", "{cpu: '5', memory: '5Gi'}");
            awaitKnown(2, 1);
            pod("alone", ONE, terms.formatted("solo", "podAntiAffinity", "solo"));
            assertThat(placeOf("alone")).isEqualTo("b");
            pod("other", ONE, terms.formatted("solo", "podAntiAffinity", "solo"));
            assertThat(placeOf("other")).isEqualTo("a");
            pod("third", ONE, terms.formatted("solo", "podAntiAffinity", "solo"));
            assertUnplaced(
                    "third",
                    noPlace(
                            2,
                            "2 node(s) didn't match pod anti-affinity rules",
                            "2 No preemption victims found for incoming pod"));

            pod("follower", ONE, terms.formatted("fan", "podAffinity", "star"));
            assertUnplaced(
                    "follower",
                    preemptionDoesNotHelp(2, "2 node(s) didn't match pod affinity rules"));
            pod("star", ONE, "{metadata: {labels: {app: 'star'}}}");
            assertThat(placeOf("follower")).isEqualTo(placeOf("star"));
        }

        @Test
        void imageLocalityPrefersTheNodeThatHasTheImage() {
            node("a", "{}");
            node("b", "{status: {images: [{names: ['example/main:1'], sizeBytes: 900000000}]}}");
            node("c", "{}");
            awaitKnown(3, 0);
            pod("p", ONE, "{}");
            assertThat(placeOf("p")).isEqualTo("b");
        }

        @Test
        void nodeDeclaredFeaturesAsksForWhatAPodNeeds() {
            String pod =
                    """
                    {spec: {restartPolicy: 'Never',
                            containers: [{name: 'main', image: 'example/main:1',
                              restartPolicy: 'Never',
                              restartPolicyRules: [{action: 'RestartAllContainers',
                                exitCodes: {operator: 'In', values: [42]}}]}]}}
                    """;
            node("a", "{}");
            awaitKnown(1, 0);
            pod("p", "{}", pod);
            assertUnplaced(
                    "p",
                    preemptionDoesNotHelp(1, "1 node(s) didn't match Pod's required features"));
            node("b", "{status: {declaredFeatures: ['RestartAllContainersOnContainerExits']}}");
            assertThat(placeOf("p")).isEqualTo("b");
        }

        @Test
        void defaultBinderBindsAndSaysSo() {
            node("a", "{}");
            pod("p", ONE, "{}");

            assertThat(placeOf("p")).isEqualTo("a");
            objects().awaitEvent("p", "Scheduled", LIMIT, scheduler());
            assertThat(scheduled("p").at("/status").asText()).isEqualTo("True");
            assertThat(describe("p"))
                    .containsPattern("\nNode: +a/\n")
                    .containsPattern("\n +PodScheduled +True *\n")
                    .containsPattern(
                            "\n +Normal +Scheduled +\\S+ +default-scheduler +Successfully assigned "
                                    + namespace()
                                    + "/p to a\n");
        }

        /// A scheduler that starts finds both waiting, and there is room for one.
        @Test
        void prioritySortTakesTheMostImportantPodFirst() throws IOException {
            priorityClass("plugins-important", 1000, "Never");
            node("a", "{}");
            awaitKnown(1, 0);
            String late = "{spec: {schedulerName: 'late-scheduler'%s}}";
            pod("low", "{cpu: '6'}", late.formatted(""));
            pod(
                    "high",
                    "{cpu: '6'}",
                    late.formatted(
                            ", priorityClassName: 'plugins-important',"
                                    + " preemptionPolicy: 'Never'"));
            var config =
                    Files.writeString(
                            plane().folder().resolve("late.yaml"),
                            """
                            apiVersion: kubescheduler.config.k8s.io/v1
                            kind: KubeSchedulerConfiguration
                            clientConnection: {kubeconfig: %s}
                            leaderElection: {leaderElect: false}
                            profiles: [{schedulerName: late-scheduler}]
                            """
                                    .formatted(plane().schedulerKubeconfig()));
            try (var scheduler = plane().start(program(), "--config=" + config)) {
                objects().awaitEvent("low", "FailedScheduling", LIMIT, scheduler);
                objects()
                        .awaitPod(
                                "high",
                                LIMIT,
                                scheduler,
                                pod -> pod.text("/spec/nodeName").equals("a"));
            }
            assertThat(objects().pod("low").text("/spec/nodeName")).isEmpty();
        }
    }
}
