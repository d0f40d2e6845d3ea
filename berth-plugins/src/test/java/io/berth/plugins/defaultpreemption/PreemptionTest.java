package io.berth.plugins.defaultpreemption;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.model.LabelSelector;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.model.PodSpec;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.ClusterException;
import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.NodeView;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.PermitVerdict;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.PreBindVerdict;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreFilterVerdict;
import io.berth.api.plugin.Recorder;
import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.Verdict;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.port.Ports;
import io.berth.plugins.InTree;
import io.berth.testkit.Pods;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Preemption by the default profile, step by step.
final class PreemptionTest {
    private static final Instant EARLIER = Instant.parse("2026-01-01T10:00:00Z");

    /// Deletions of these pods fail.
    private final Set<String> undeletable = new HashSet<>();

    private final List<String> deleted = new ArrayList<>();

    /// What operators read at `-v=2`.
    private final List<String> told = new ArrayList<>();

    private final Log log =
            new Log() {
                @Override
                public boolean isOn(int level) {
                    return level <= 2;
                }

                @Override
                public void info(int level, String sentence, @Nullable Object... keysAndValues) {
                    if (isOn(level)) {
                        told.add(sentence + " " + Arrays.toString(keysAndValues));
                    }
                }

                @Override
                public void error(
                        @Nullable Throwable cause,
                        String sentence,
                        @Nullable Object... keysAndValues) {
                    told.add(sentence);
                }
            };

    private TestScheduler scheduler(Plugin... more) {
        var factories = new ArrayList<PluginFactory>(InTree.factories());
        var enabled = new ArrayList<EnabledPlugin>();
        for (var plugin : more) {
            factories.add(factory(plugin));
            enabled.add(EnabledPlugin.of(plugin.name()));
        }
        enabled.addAll(InTree.defaults());
        return TestScheduler.with(
                factories,
                settings -> settings,
                this::withDeletions,
                ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled));
    }

    private static PluginFactory factory(Plugin plugin) {
        return new PluginFactory() {
            @Override
            public String name() {
                return plugin.name();
            }

            @Override
            public Plugin create(Arguments arguments, Handle handle) {
                return plugin;
            }
        };
    }

    private Ports withDeletions(Ports ports) {
        var real = ports.writes();
        var writes =
                new ClusterWrites() {
                    @Override
                    public void bind(Pod pod, String node) {
                        real.bind(pod, node);
                    }

                    @Override
                    public void patchStatus(
                            Pod pod,
                            @Nullable PodCondition condition,
                            @Nullable String nominatedNodeName) {
                        real.patchStatus(pod, condition, nominatedNodeName);
                    }

                    @Override
                    public void delete(Pod pod) {
                        if (undeletable.contains(pod.name())) {
                            throw new ClusterException(
                                    ClusterException.Kind.UNAVAILABLE, "try later");
                        }
                        deleted.add(pod.name());
                        real.delete(pod);
                    }
                };
        return new Ports(
                ports.time(),
                ports.random(),
                ports.tasks(),
                ports.workers(),
                writes,
                ports.recorder(),
                ports.metrics(),
                ports.queueMetrics(),
                log);
    }

    private record Filtering(String name, BiFunction<Pod, NodeView, Verdict> verdict)
            implements Filter {
        @Override
        public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
            return verdict.apply(pod, node);
        }
    }

    private static Pods running(String name, int priority, String node) {
        return pod(name)
                .cpu("2")
                .priority(priority)
                .label("app", name)
                .onNode(node)
                .with(p -> p.phase("Running").startedAt(EARLIER));
    }

    private static Pod high(String name) {
        return pod(name).cpu("2").priority(10).build();
    }

    private static void stepOnly(TestScheduler scheduler) {
        while (scheduler.engine().step()) {
            // without running tasks
        }
    }

    private static List<String> preempted(TestScheduler scheduler) {
        return scheduler.cluster().events().stream()
                .filter(event -> event.reason().equals("Preempted"))
                .map(event -> event.about().name() + ": " + event.note())
                .toList();
    }

    @Nested
    @Tag("E-179")
    final class Telling {
        private List<String> toldOfPreemption() {
            return told.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).contains("preempt"))
                    .filter(line -> !line.startsWith("the scheduler starts"))
                    .toList();
        }

        @Test
        void targetVictimsAndEndAreTold() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();

            assertThat(toldOfPreemption())
                    .containsExactly(
                            "the target node for the preemption is determined"
                                    + " [node, a, pod, default/high]",
                            "Start the preemption asynchronously [preemptor, default/high, node, a,"
                                    + " numVictims, 1, numVictimsToDelete, 1]",
                            "Preemptor Pod preempted victim Pod"
                                    + " [preemptor, default/high, node, a, victim, default/low]",
                            "Async Preemption finished completely"
                                    + " [preemptor, default/high, node, a, result, success]");
        }

        @Test
        void fruitlessSearchIsTold() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("1").build());
            scheduler.create(high("high"));
            scheduler.settle();

            assertThat(toldOfPreemption())
                    .contains(
                            "No preemption candidate is found; preemption is not helpful for"
                                    + " scheduling [pod, default/high]");
        }

        @Test
        void failureIsTold() {
            undeletable.add("low");
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            stepOnly(scheduler);
            scheduler.tasks().runOne();

            assertThat(toldOfPreemption())
                    .contains(
                            "Error occurred during async preemption",
                            "Async Preemption finished completely"
                                    + " [preemptor, default/high, node, a, result, error]");
        }
    }

    @Nested
    @Tag("E-152")
    final class Eligibility {
        private Pods terminating(String name, String node) {
            return running(name, 1, node).with(p -> p.deletedAt(EARLIER));
        }

        private Pod nominated(String node) {
            return high("high").toBuilder().nominatedNodeName(node).build();
        }

        private static PodCondition disruption(String status, String reason) {
            return PodCondition.of(PodCondition.DISRUPTION_TARGET, status, reason, "");
        }

        @Test
        @Tag("E-120")
        void podWaitsForAVictimOnItsNominatedNodeToGo() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(
                    terminating("low", "a")
                            .with(p -> p.condition(disruption("True", "PreemptionByScheduler")))
                            .build());
            scheduler.create(nominated("a"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith(
                            "preemption: not eligible due to a terminating pod on the nominated"
                                    + " node.");
            assertThat(scheduler.cluster().pod("default/high").nominatedNodeName()).isEqualTo("a");
        }

        @ParameterizedTest
        @CsvSource({"False, PreemptionByScheduler", "True, EvictionByEvictionAPI"})
        void podThatGoesForOtherReasonsIsNotWaitedFor(String status, String reason) {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(
                    terminating("low", "a")
                            .with(p -> p.condition(disruption(status, reason)))
                            .build());
            scheduler.create(nominated("a"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high")).doesNotContain("not eligible");
        }

        @Test
        void nominatedNodeThatNoEvictionHelpsDoesNotHoldThePodBack() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").taint("t", "", "NoSchedule").build());
            scheduler.add(node("b").cpu("2").build());
            scheduler.create(
                    terminating("going", "a")
                            .with(p -> p.condition(disruption("True", "PreemptionByScheduler")))
                            .build());
            scheduler.create(running("low", 1, "b").build());
            scheduler.create(nominated("a"));
            scheduler.settle();
            assertThat(deleted).containsExactly("low");
        }
    }

    @Nested
    @Tag("E-153")
    @Tag("E-159")
    final class PotentialNodes {
        @Test
        @Tag("E-150")
        @Tag("DP-3")
        void nodesThatNoEvictionHelpsAreNotTried() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").taint("t", "", "NoSchedule").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith(
                            "preemption: 0/1 nodes are available: 1 Preemption is not helpful for"
                                    + " scheduling.");
            assertThat(deleted).isEmpty();
        }

        @Test
        @Tag("E-156")
        void reasonThatRemainsWithoutTheVictimsIsTold() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("3").build());
            scheduler.create(running("equal", 10, "a").build());
            scheduler.create(running("low", 1, "a").cpu("1").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith("preemption: 0/1 nodes are available: 1 Insufficient cpu.");
            assertThat(deleted).isEmpty();
        }

        @Test
        @Tag("E-156")
        void equalPriorityIsNoVictim() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("equal", 10, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith("1 No preemption victims found for incoming pod.");
        }

        @Test
        @Tag("E-120")
        void earlierNominationIsTakenBackWhereNothingHelps() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("equal", 10, "a").build());
            scheduler.create(high("high").toBuilder().nominatedNodeName("a").build());
            scheduler.settle();
            assertThat(scheduler.cluster().pod("default/high").nominatedNodeName()).isEmpty();
            assertThat(scheduler.engine().queue().nominator().isEmpty()).isTrue();
        }
    }

    @Nested
    @Tag("E-155")
    final class Candidates {
        @ParameterizedTest
        @CsvSource({"5, 5", "100, 100", "500, 100", "1000, 100", "1500, 150", "5000, 500"})
        @Tag("E-154")
        @Tag("DP-2")
        void aTenthButAtLeastAHundredAreLookedAt(int nodes, int candidates) {
            assertThat(DefaultPreemptionArguments.DEFAULT.candidates(nodes)).isEqualTo(candidates);
        }

        @Test
        @Tag("DP-1")
        void argumentsThatMakeNoSenseAreRefused() {
            assertThatThrownBy(() -> arguments(101, 1)).hasMessageContaining("[0, 100]");
            assertThatThrownBy(() -> arguments(1, -1)).hasMessageContaining("[0, inf)");
            assertThatThrownBy(() -> arguments(0, 0))
                    .hasMessageContaining(
                            "cannot be zero at the same time as minCandidateNodesAbsolute")
                    .hasMessageContaining(
                            "cannot be zero at the same time as minCandidateNodesPercentage");
            assertThat(arguments(0, 1)).isEqualTo(new DefaultPreemptionArguments(0, 1));
            assertThat(DefaultPreemptionArguments.of(Arguments.NONE))
                    .isEqualTo(new DefaultPreemptionArguments(10, 100));
        }

        private static DefaultPreemptionArguments arguments(int percentage, int absolute) {
            return DefaultPreemptionArguments.of(
                    new Arguments(
                            Map.of(
                                    "minCandidateNodesPercentage",
                                    percentage,
                                    "minCandidateNodesAbsolute",
                                    absolute)));
        }

        @Test
        @Tag("E-154")
        void searchEndsWhenThereAreEnough() {
            var tried = new HashSet<String>();
            var counting =
                    new Filtering(
                            "Counting",
                            (pod, node) -> {
                                if (node.pods().isEmpty()) {
                                    tried.add(node.name());
                                }
                                return Verdict.PASS;
                            });
            var scheduler = scheduler(counting);
            for (int i = 0; i < 130; i++) {
                scheduler.add(node("n" + i).cpu("2").build());
                scheduler.create(running("low" + i, 1, "n" + i).build());
            }
            scheduler.create(high("high"));
            stepOnly(scheduler);
            assertThat(tried).hasSize(100);
        }

        @Test
        void nodeOnWhichAPluginBreaksIsPassedOverWhereAnotherHelps() {
            var broken =
                    new Filtering(
                            "Broken",
                            (pod, node) -> {
                                if (node.pods().isEmpty() && !node.name().equals("c")) {
                                    throw new IllegalStateException("boom on " + node.name());
                                }
                                return Verdict.PASS;
                            });
            var scheduler = scheduler(broken);
            for (var name : List.of("a", "b", "c")) {
                scheduler.add(node(name).cpu("2").build());
                scheduler.create(running("low-" + name, 1, name).build());
            }
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(deleted).containsExactly("low-c");
        }

        @Test
        void whereItBreaksEverywhereThatIsTold() {
            var broken =
                    new Filtering(
                            "Broken",
                            (pod, node) -> {
                                if (node.pods().isEmpty()) {
                                    throw new IllegalStateException("boom");
                                }
                                return Verdict.PASS;
                            });
            var scheduler = scheduler(broken);
            for (var name : List.of("a", "b")) {
                scheduler.add(node(name).cpu("2").build());
                scheduler.create(running("low-" + name, 1, name).build());
            }
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .isEqualTo(
                            "0/2 nodes are available: 2 Insufficient cpu. preemption: running"
                                    + " \"Broken\" filter plugin: boom");
        }

        @Test
        void nodeThatWouldDoAsItIsIsAContradiction() {
            record Refusing(String name) implements PreFilter {
                @Override
                public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
                    return pod.name().equals("high")
                            ? Refusal.mayPreempt("not today")
                            : PreFilterVerdict.PASS;
                }
            }
            var scheduler = scheduler(new Refusing("Refusing"));
            scheduler.add(node("a").cpu("8").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith("expected at least one victim pod on node \"a\"");
            assertThat(deleted).isEmpty();
        }
    }

    @Nested
    @Tag("E-157")
    final class Reprieve {
        @Test
        @Tag("E-158")
        void protectedPodsAreTriedFirst() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("4").build());
            scheduler.create(running("guarded", 1, "a").build());
            scheduler.create(running("free", 2, "a").build());
            scheduler.add(
                    new PodDisruptionBudget(
                            "default",
                            "budget",
                            LabelSelector.matching("app", "guarded"),
                            0,
                            Set.of()));
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(deleted).containsExactly("free");
        }

        @Test
        void amongEqualsTheOneThatRunsForLongerStays() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("4").build());
            scheduler.create(
                    running("young", 1, "a")
                            .with(p -> p.startedAt(EARLIER.plusSeconds(60)))
                            .build());
            scheduler.create(running("old", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(deleted).containsExactly("young");
        }
    }

    @Nested
    @Tag("E-162")
    @Tag("E-151")
    final class Evicting {
        @Test
        @Tag("E-164")
        @Tag("E-121")
        void victimIsMarkedDeletedAndTold() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            undeletable.add("low");
            scheduler.create(high("high"));
            stepOnly(scheduler);
            scheduler.tasks().runOne();
            assertThat(scheduler.cluster().pod("default/low").condition("DisruptionTarget"))
                    .isEqualTo(
                            PodCondition.of(
                                    "DisruptionTarget",
                                    "True",
                                    "PreemptionByScheduler",
                                    "default-scheduler: preempting to accommodate a higher priority"
                                            + " pod"));
            undeletable.clear();
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(3));
            assertThat(preempted(scheduler))
                    .containsExactly("low: Preempted by pod default/high on node a");
            assertThat(scheduler.cluster().events())
                    .filteredOn(event -> event.reason().equals("Preempted"))
                    .allSatisfy(event -> {
                        assertThat(event.type()).isEqualTo(Recorder.Type.NORMAL);
                        assertThat(event.action()).isEqualTo("Preempting");
                    });
            assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        }

        @Test
        void podIsNominatedBeforeAnythingIsDeleted() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            stepOnly(scheduler);
            assertThat(deleted).isEmpty();
            assertThat(scheduler.engine().queue().nominator().on("a"))
                    .extracting(Pod::name)
                    .containsExactly("high");
        }

        @Test
        void leastImportantVictimGoesLastAndStaysWhereAnotherCannotBeEvicted() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("4").build());
            scheduler.create(running("middle", 2, "a").build());
            scheduler.create(running("low", 1, "a").build());
            undeletable.add("middle");
            scheduler.create(pod("high").cpu("4").priority(10).build());
            stepOnly(scheduler);
            scheduler.tasks().runOne();
            assertThat(deleted).isEmpty();
            // It is tried again at once, and then succeeds.
            undeletable.clear();
            scheduler.settle();
            assertThat(deleted).containsExactly("middle", "low");
        }

        @Test
        void victimsThatGoAnywayAreLeftToGo() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("going", 1, "a").with(p -> p.deletedAt(EARLIER)).build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(deleted).isEmpty();
            assertThat(preempted(scheduler)).isEmpty();
            assertThat(scheduler.cluster().pod("default/high").nominatedNodeName()).isEqualTo("a");
        }

        @Test
        @Tag("E-120")
        void nominationsOfLesserPodsAreTakenBack() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").with(p -> p.deletedAt(EARLIER)).build());
            scheduler.create(pod("middle").cpu("2").priority(5).build());
            scheduler.settle();
            assertThat(scheduler.cluster().pod("default/middle").nominatedNodeName())
                    .isEqualTo("a");
            scheduler.create(running("low2", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.cluster().pod("default/middle").nominatedNodeName()).isEmpty();
            assertThat(scheduler.engine().queue().nominator().on("a"))
                    .extracting(Pod::name)
                    .doesNotContain("middle");
        }
    }

    @Nested
    @Tag("E-163")
    @Tag("DP-3")
    final class Gate {
        @Test
        void preemptorIsKeptOutUntilItsLastVictimGoes() {
            var scheduler = scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            stepOnly(scheduler);
            // Something that would wake the pod, were it not for the gate.
            scheduler.add(node("a").cpu("3").build());
            stepOnly(scheduler);
            assertThat(scheduler.engine().queue().counts().gated()).isEqualTo(1);
            assertThat(scheduler.engine().queue().find("default/high"))
                    .isNotNull()
                    .satisfies(
                            info -> assertThat(info.gatingPlugin()).isEqualTo("DefaultPreemption"));

            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(3));
            assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        }
    }

    @Nested
    @Tag("E-164")
    final class InMemory {
        private record Waiting(String name) implements Permit {
            @Override
            public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
                return pod.name().equals("low")
                        ? new PermitVerdict.Wait(Duration.ofMinutes(5))
                        : PermitVerdict.PASS;
            }
        }

        @Test
        @Tag("E-132")
        void victimThatWaitsForItsPermitIsSentBack() {
            var scheduler = scheduler(new Waiting("Waiting"));
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(pod("low").cpu("2").priority(1).build());
            scheduler.settle();
            assertThat(scheduler.engine().state().isAssumed("default/low")).isTrue();
            scheduler.create(high("high"));
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(3));

            assertThat(deleted).isEmpty();
            assertThat(preempted(scheduler))
                    .containsExactly(
                            "low: Preempted by pod default/high on node a (in kube-scheduler"
                                    + " memory).");
            assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
            assertThat(scheduler.cluster().events())
                    .extracting(Recorder.Event::note)
                    .contains("waiting on permit for pod: preempted");
        }

        private record Preparing(String name, Consumer<Pod> during) implements PreBind {
            @Override
            public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
                during.accept(pod);
                return PreBindVerdict.PASS;
            }
        }

        @Test
        @Tag("E-133")
        void victimWhoseBindingIsBeingPreparedIsSentBack() {
            var beds = new ArrayList<TestScheduler>();
            var scheduler =
                    scheduler(
                            new Preparing(
                                    "Preparing",
                                    pod -> {
                                        if (pod.name().equals("low") && beds.size() == 1) {
                                            // The more important pod comes while this takes time.
                                            var bed = beds.removeFirst();
                                            bed.create(high("high"));
                                            bed.settle();
                                        }
                                    }));
            beds.add(scheduler);
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(pod("low").cpu("2").priority(1).build());
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(3));

            assertThat(deleted).isEmpty();
            assertThat(preempted(scheduler))
                    .containsExactly(
                            "low: Preempted by pod default/high on node a (in kube-scheduler"
                                    + " memory).");
            assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
            assertThat(scheduler.nodeOf("default/low")).isEmpty();
            assertThat(scheduler.cluster().events())
                    .extracting(Recorder.Event::note)
                    .contains("preempted by DefaultPreemption");
        }
    }
}
