package io.berth.engine.cycle;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.PreBind;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.engine.Bed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// PreBind plugins that run side by side, and how they are stopped.
@Tag("E-133")
final class PreBindGroupsTest {
    private final List<String> journal = new ArrayList<>();

    private static Bed bed(PreBind... plugins) {
        var bed = Bed.of(plugins);
        bed.scheduler.add(node("a").build());
        return bed;
    }

    /// Starts a pod and stops where the first PreBind plugins are about to run.
    private static void begin(Bed bed) {
        bed.scheduler.create(pod("p").build());
        bed.stepOnly();
        // The word to the world about the node to expect.
        assertThat(bed.scheduler.tasks().runOne()).isTrue();
        bed.stepOnly();
    }

    private static void runTask(Bed bed) {
        assertThat(bed.scheduler.tasks().runOne()).isTrue();
        bed.stepOnly();
    }

    private final class Noting implements PreBind {
        private final String name;
        private final boolean isParallel;
        private boolean hasWork = true;
        private Supplier<PreBindVerdict> verdict = () -> PreBindVerdict.PASS;

        Noting(String name, boolean isParallel) {
            this.name = name;
            this.isParallel = isParallel;
        }

        Noting idle() {
            hasWork = false;
            return this;
        }

        Noting saying(Supplier<PreBindVerdict> answer) {
            verdict = answer;
            return this;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean allowsParallel() {
            return isParallel;
        }

        @Override
        public boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
            return hasWork;
        }

        @Override
        public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
            journal.add(name);
            return verdict.get();
        }

        @Override
        public void cancelPreBind(Cycle cycle, Pod pod, String nodeName) {
            journal.add("stop " + name);
        }
    }

    private Noting parallel(String name) {
        return new Noting(name, true);
    }

    private Noting alone(String name) {
        return new Noting(name, false);
    }

    @Test
    void neighboursThatAllowItAreStartedTogether() {
        var bed = bed(parallel("A"), parallel("B"), alone("C"));
        begin(bed);
        runTask(bed); // finds that a group comes first
        assertThat(bed.scheduler.tasks().waiting()).isEqualTo(2);
        assertThat(journal).isEmpty();
        bed.scheduler.settle();
        assertThat(journal).containsExactly("A", "B", "C");
        assertThat(bed.nodeOf("p")).isEqualTo("a");
    }

    @Test
    void nextGroupWaitsForAllOfThisOne() {
        var bed = bed(parallel("A"), parallel("B"), alone("C"));
        begin(bed);
        runTask(bed);
        runTask(bed);
        assertThat(journal).containsExactly("A");
        assertThat(bed.scheduler.tasks().waiting()).isEqualTo(1);
        runTask(bed);
        assertThat(journal).containsExactly("A", "B");
    }

    @Test
    void pluginThatDoesNotAllowItSeparatesThemEvenWhereItIsIdle() {
        var bed = bed(parallel("A"), alone("C").idle(), parallel("B"));
        begin(bed);
        runTask(bed); // one task runs both, one after another
        assertThat(journal).containsExactly("A", "B");
        assertThat(bed.nodeOf("p")).isEqualTo("a");
    }

    @Test
    void idleNeighbourDoesNotSeparate() {
        var bed = bed(parallel("A"), parallel("C").idle(), parallel("B"));
        begin(bed);
        runTask(bed);
        assertThat(bed.scheduler.tasks().waiting()).isEqualTo(2);
    }

    @Test
    @Tag("E-106")
    void firstFailureStopsTheOthersAndIsTold() {
        var bed =
                bed(
                        parallel("A").saying(() -> Refusal.mayPreempt("no volume")),
                        parallel("B").saying(() -> Refusal.mayPreempt("stopped")),
                        alone("C"));
        begin(bed);
        runTask(bed);
        bed.scheduler.settle();
        assertThat(journal).startsWith("A", "stop B", "B").doesNotContain("C");
        assertThat(bed.messageOf("p")).isEqualTo("no volume");
        assertThat(bed.books().state().isAssumed("default/p")).isFalse();
    }

    @Test
    void brokenPluginIsNamed() {
        var bed =
                bed(
                        parallel("A"),
                        parallel("B")
                                .saying(() -> {
                                    throw new IllegalStateException("boom");
                                }));
        begin(bed);
        bed.scheduler.settle();
        assertThat(bed.messageOf("p")).isEqualTo("running PreBind plugin \"B\": boom");
        assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
    }

    @Test
    @Tag("E-164")
    void preemptionStopsThePluginThatRuns() {
        var bed = new Bed[1];
        var plugin =
                alone("A")
                        .saying(() -> {
                            assertThat(bed[0].handle().cancelPreBind("default/p", "preempted by X"))
                                    .isTrue();
                            return PreBindVerdict.PASS;
                        });
        bed[0] = bed(plugin, alone("B"));
        begin(bed[0]);
        runTask(bed[0]);
        assertThat(journal).containsExactly("A", "stop A");
        assertThat(bed[0].messageOf("p")).isEmpty();
        bed[0].scheduler.tasks().runOne();
        assertThat(bed[0].messageOf("p")).isEqualTo("preempted by X");
    }

    @Test
    void preemptionStopsAllThatRunSideBySide() {
        var bed = new Bed[1];
        var plugin =
                parallel("A")
                        .saying(() -> {
                            bed[0].handle().cancelPreBind("default/p", "preempted by X");
                            return PreBindVerdict.PASS;
                        });
        bed[0] = bed(plugin, parallel("B"));
        begin(bed[0]);
        runTask(bed[0]);
        runTask(bed[0]);
        // B had not begun: it never does.
        assertThat(journal).startsWith("A", "stop A").doesNotContain("B");
        bed[0].scheduler.settle();
        assertThat(bed[0].reasonOf("p")).isEqualTo("SchedulerError");
        assertThat(journal).doesNotContain("B");
    }

    @Test
    void pluginThatCannotBeStoppedHurtsNobody() {
        var bed = new Bed[1];
        var stubborn =
                new PreBind() {
                    @Override
                    public String name() {
                        return "Stubborn";
                    }

                    @Override
                    public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
                        bed[0].handle().cancelPreBind("default/p", "enough");
                        return PreBindVerdict.PASS;
                    }

                    @Override
                    public void cancelPreBind(Cycle cycle, Pod pod, String nodeName) {
                        throw new IllegalStateException("never");
                    }
                };
        bed[0] = bed(stubborn);
        begin(bed[0]);
        runTask(bed[0]);
        bed[0].scheduler.tasks().runOne();
        assertThat(bed[0].messageOf("p")).isEqualTo("enough");
        assertThat(bed[0].log.sentences()).contains("Failed to cancel PreBind");
    }
}
