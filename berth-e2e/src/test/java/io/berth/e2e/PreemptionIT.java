package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.Manifest;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RealScheduler;
import io.berth.e2e.fixture.SchedulerFacts;
import io.berth.e2e.fixture.Thorough;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Pods that make room for more important ones: which, why these, and what is told to whom. The
/// same facts hold for the real kube-scheduler.
///
/// Nobody ends a pod here, as there is no kubelet: a victim leaves when the test lets it go, and
/// until then its last words can be read.
@Thorough
final class PreemptionIT {
    @Nested
    @PackagedScheduler
    @RealControlPlane
    class Berth extends Facts {
        @Override
        String related(String preemptor) {
            return preemptor;
        }
    }

    @Nested
    @RealScheduler
    @RealControlPlane
    class KubeScheduler extends Facts {
        /// It means to name the preemptor and loses it on the way.
        @Override
        String related(String preemptor) {
            return "";
        }
    }

    abstract static class Facts extends SchedulerFacts {
        /// The pod that the event of a victim names besides the victim.
        abstract String related(String preemptor);

        @BeforeAll
        void createPriorities() {
            for (int value : List.of(1, 5, 10, 1000)) {
                priorityClass("preempt-" + value, value, "PreemptLowerPriority");
            }
            priorityClass("preempt-never", 1000, "Never");
        }

        @Test
        void noBudgetIsBrokenWhereAnotherVictimWillDo() {
            budget("guarded", 0);
            node("a", "{}");
            node("b", "{}");
            // By their priorities alone the guarded one would have to go.
            running("a", "guarded", "8", 1);
            running("b", "free", "8", 5);
            awaitKnown(2, 2);
            important("vip", "8");

            assertThat(awaitNomination("vip")).isEqualTo("b");
            awaitLeaving("free");
            assertThat(isLeaving("guarded")).isFalse();
            assertToldWhy("free", "vip", "b");
            assertThat(
                            plane().kubectl()
                                    .run("get", "pod", "vip", "-n", namespace(), "-o", "wide")
                                    .ok())
                    .containsPattern("vip +0/1 +Pending +0 +\\S+ +<none> +<none> +b ");
            assertThat(describe("vip")).containsPattern("\nNominatedNodeName: +b\n");

            objects().deletePod("free");
            assertThat(placeOf("vip")).isEqualTo("b");
            assertThat(isLeaving("guarded")).isFalse();
        }

        @Test
        void aBudgetWithRoomIsNoObstacle() {
            budget("guarded", 1);
            node("a", "{}");
            node("b", "{}");
            running("a", "guarded", "8", 1);
            running("b", "free", "8", 5);
            awaitKnown(2, 2);
            important("vip", "8");

            assertThat(awaitNomination("vip")).isEqualTo("a");
            awaitLeaving("guarded");
            assertThat(isLeaving("free")).isFalse();
        }

        @Test
        void aBudgetIsBrokenRatherThanAnImportantPodLeftOut() {
            budget("guarded", 0);
            node("a", "{}");
            running("a", "guarded", "8", 1);
            awaitKnown(1, 1);
            important("vip", "8");

            assertThat(awaitNomination("vip")).isEqualTo("a");
            assertToldWhy("guarded", "vip", "a");
        }

        @Test
        void onlyAsManyVictimsAsNeededAndTheLeastImportantOnes() {
            node("a", "{}");
            running("a", "ten", "3", 10);
            running("a", "one", "3", 1);
            running("a", "five", "3", 5);
            awaitKnown(1, 3);
            important("vip", "4");

            assertThat(awaitNomination("vip")).isEqualTo("a");
            awaitLeaving("one");
            assertThat(isLeaving("five")).isFalse();
            assertThat(isLeaving("ten")).isFalse();
        }

        @Test
        void aVictimsConditionComesAfterThatOfItsPlacement() {
            node("a", "{}");
            awaitKnown(1, 0);
            pod("low", "{cpu: '8'}", "{spec: {terminationGracePeriodSeconds: 600}}");
            assertThat(placeOf("low")).isEqualTo("a");
            important("vip", "8");

            awaitLeaving("low");
            var conditions = objects().pod("low").body().at("/status/conditions");
            assertThat(conditions.findValuesAsText("type"))
                    .containsExactly("PodScheduled", "DisruptionTarget");
        }

        @Test
        void thePlaceOfTheVictimIsKeptForWhomItWasMade() {
            node("a", "{}");
            running("a", "victim", "8", 1);
            awaitKnown(1, 1);
            important("vip", "8");
            assertThat(awaitNomination("vip")).isEqualTo("a");

            // It would fit as soon as the victim is gone, and is tried before the other one.
            pod("opportunist", "{cpu: '8'}", "{}");
            objects().awaitEvent("opportunist", "FailedScheduling", LIMIT, scheduler());
            objects().deletePod("victim");

            assertThat(placeOf("vip")).isEqualTo("a");
            assertThat(objects().pod("opportunist").text("/spec/nodeName")).isEmpty();
        }

        @Test
        void aPodThatNeverPreemptsWaitsItsTurn() {
            node("a", "{}");
            running("a", "other", "8", 1);
            awaitKnown(1, 1);
            pod("polite", "{cpu: '8'}", "{spec: {priorityClassName: 'preempt-never'}}");

            assertUnplaced(
                    "polite",
                    "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate,"
                            + " preemption: not eligible due to preemptionPolicy=Never.");
            assertThat(isLeaving("other")).isFalse();
            objects().deletePod("other");
            assertThat(placeOf("polite")).isEqualTo("a");
        }

        @Test
        void podsOfTheSamePriorityDoNotPreemptEachOther() {
            node("a", "{}");
            running("a", "other", "8", 1000);
            awaitKnown(1, 1);
            important("vip", "8");

            assertUnplaced(
                    "vip",
                    "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate,"
                            + " preemption: 0/1 nodes are available:"
                            + " 1 No preemption victims found for incoming pod.");
            assertThat(isLeaving("other")).isFalse();
        }

        /// The condition of the victim, its event, and that its deletion is asked for.
        private void assertToldWhy(String victim, String preemptor, String node) {
            awaitLeaving(victim);
            var condition = objects().condition(victim, "DisruptionTarget");
            assertThat(condition.at("/status").asText()).isEqualTo("True");
            assertThat(condition.at("/reason").asText()).isEqualTo("PreemptionByScheduler");
            assertThat(condition.at("/message").asText())
                    .isEqualTo(
                            "default-scheduler: preempting to accommodate a higher priority pod");
            objects().awaitEvent(victim, "Preempted", LIMIT, scheduler());
            String uid = objects().pod(preemptor).text("/metadata/uid");
            assertThat(objects().events(victim, "Preempted"))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.at("/type").asText()).isEqualTo("Normal");
                        assertThat(event.at("/action").asText()).isEqualTo("Preempting");
                        assertThat(event.at("/note").asText())
                                .isEqualTo("Preempted by pod %s on node %s".formatted(uid, node));
                        assertThat(event.at("/related/name").asText())
                                .isEqualTo(related(preemptor));
                    });
            assertThat(describe(victim))
                    .containsPattern("\n +DisruptionTarget +True *\n")
                    .containsPattern(
                            "\n +Normal +Preempted +\\S+ +default-scheduler +Preempted by");
        }

        private String awaitNomination(String pod) {
            awaitPod(pod, answer -> !answer.text("/status/nominatedNodeName").isEmpty());
            return objects().pod(pod).text("/status/nominatedNodeName");
        }

        /// Victims go after the nomination is written, beside it.
        private void awaitLeaving(String victim) {
            awaitPod(victim, _ -> isLeaving(victim));
        }

        private boolean isLeaving(String pod) {
            return !objects().pod(pod).text("/metadata/deletionTimestamp").isEmpty();
        }

        private void important(String name, String cpu) {
            pod(name, "{cpu: '" + cpu + "'}", "{spec: {priorityClassName: 'preempt-1000'}}");
        }

        /// A pod on a node, with a name that is its label too. It takes its time to end.
        private void running(String node, String name, String cpu, int priority) {
            pod(
                    name,
                    "{cpu: '" + cpu + "'}",
                    """
                    {metadata: {labels: {app: '%1$s'}},
                     spec: {nodeName: '%2$s', priorityClassName: 'preempt-%3$d',
                            terminationGracePeriodSeconds: 600}}
                    """
                            .formatted(name, node, priority));
        }

        /// There is no controller that counts, so the count is written. Comes first in a fact: that
        /// the scheduler knows nodes and pods does not tell that it knows what was made after them.
        private void budget(String app, int disruptionsAllowed) {
            String path = "/apis/policy/v1/namespaces/" + namespace() + "/poddisruptionbudgets";
            plane().admin()
                    .post(
                            path,
                            Manifest.of(
                                    """
                                    {apiVersion: 'policy/v1', kind: 'PodDisruptionBudget',
                                     metadata: {name: '%1$s'},
                                     spec: {minAvailable: 1,
                                            selector: {matchLabels: {app: '%1$s'}}}}
                                    """
                                            .formatted(app)))
                    .ok();
            plane().admin()
                    .patch(
                            path + "/" + app + "/status",
                            """
                            {"status":{"disruptionsAllowed":%d,"currentHealthy":1,
                                       "desiredHealthy":1,"expectedPods":1}}
                            """
                                    .formatted(disruptionsAllowed))
                    .ok();
        }
    }
}
