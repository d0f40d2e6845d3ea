package io.berth.engine.cycle;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Awaited;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.Reserve;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.PreBindVerdict.Wrote;
import io.berth.api.verdict.ReserveVerdict;
import io.berth.api.write.Written;
import io.berth.engine.Bed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A PreBind plugin hears on the engine thread what it wrote, and may have the binding wait there
/// for what others do.
@Tag("E-133")
final class AwaitedTest {
    private static final Written WRITTEN = new Written(Kind.NAMESPACE, "thing", "7");

    private final Provisioner first = new Provisioner("First");
    private final Provisioner second = new Provisioner("Second");
    private final Bed bed = Bed.of(first, second);

    @BeforeEach
    void addNode() {
        bed.scheduler.add(node("a").build());
        second.isIdle = true;
    }

    private void start() {
        bed.run(pod("p").build());
    }

    @Test
    void podIsBoundOnceItHasHappened() {
        start();
        assertThat(first.heard).containsExactly("wrote " + List.of(WRITTEN));
        bed.pass(1);
        assertThat(bed.nodeOf("p")).isEmpty();
        assertThat(first.looks).isEqualTo(1);

        first.hasHappened = true;
        bed.pass(1);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(first.looks).isEqualTo(2);
    }

    @Test
    void otherPodsArePlacedMeanwhile() {
        start();
        first.isIdle = true;
        bed.run(pod("q").build());
        assertThat(bed.nodeOf("q")).isEqualTo("a");
        assertThat(bed.nodeOf("p")).isEmpty();
    }

    @Test
    void bindingFailsWhereItDoesNotHappenInTime() {
        start();
        bed.pass(9);
        assertThat(bed.nodeOf("p")).isEmpty();
        assertThat(first.heard).doesNotContain("unreserve");
        bed.pass(1);
        assertThat(first.heard).endsWith("unreserve");
        assertThat(bed.messageOf("p"))
                .isEqualTo("running PreBind plugin \"First\": nobody made the thing");
    }

    @Test
    void bindingFailsWhereALookFindsThatItCannotHappen() {
        first.breaksWith = "the thing is gone";
        start();
        bed.pass(1);
        assertThat(bed.messageOf("p"))
                .isEqualTo("running PreBind plugin \"First\": the thing is gone");
    }

    @Test
    void pluginHearsWhatItWroteAlsoWhereItFailedLater() {
        first.problem = "no room for the other thing";
        start();
        assertThat(first.heard).startsWith("wrote " + List.of(WRITTEN), "unreserve");
        assertThat(bed.messageOf("p"))
                .isEqualTo("running PreBind plugin \"First\": no room for the other thing");
    }

    @Test
    void cancelledBindingWaitsNoLonger() {
        start();
        assertThat(bed.handle().cancelPreBind("default/p", "preempted")).isTrue();
        bed.scheduler.settle();
        assertThat(first.heard).endsWith("unreserve");
        assertThat(bed.messageOf("p")).isEqualTo("preempted");
        int looks = first.looks;
        bed.engine().pause(true);
        bed.pass(20);
        assertThat(first.looks).as("nobody looks any more").isEqualTo(looks);
    }

    @Test
    void neighboursThatMayWaitSideBySide() {
        first.isParallel = true;
        second.isParallel = true;
        second.isIdle = false;
        start();
        first.hasHappened = true;
        bed.pass(1);
        assertThat(bed.nodeOf("p")).as("the second still waits").isEmpty();
        second.hasHappened = true;
        bed.pass(1);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
    }

    @Test
    void failureOfOneEndsTheWaitingOfItsNeighbour() {
        first.isParallel = true;
        second.isParallel = true;
        second.isIdle = false;
        start();
        first.breaksWith = "the thing is gone";
        bed.pass(1);
        assertThat(bed.messageOf("p"))
                .isEqualTo("running PreBind plugin \"First\": the thing is gone");
        assertThat(second.heard).contains("unreserve");
    }

    /// One had failed while its neighbour still wrote. The neighbour then began to wait for what
    /// nobody was going to do, and the pod kept its place until the neighbour had waited enough:
    /// ten minutes for a volume.
    @Test
    void neighbourOfOneThatFailedBeforeDoesNotBeginToWait() {
        first.isParallel = true;
        first.problem = "no room for the other thing";
        second.isParallel = true;
        second.isIdle = false;
        start();
        assertThat(bed.messageOf("p"))
                .isEqualTo("running PreBind plugin \"First\": no room for the other thing");
        assertThat(second.heard).containsExactly("wrote " + List.of(WRITTEN), "unreserve");
    }

    /// Writes a thing and waits for another one.
    private static final class Provisioner implements PreBind, Reserve {
        final List<String> heard = new ArrayList<>();
        private final String name;
        boolean hasHappened;
        boolean isIdle;
        boolean isParallel;
        int looks;
        @Nullable String breaksWith;
        @Nullable String problem;

        Provisioner(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
            return !isIdle;
        }

        @Override
        public boolean allowsParallel() {
            return isParallel;
        }

        @Override
        public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
            return new Wrote(List.of(WRITTEN), problem);
        }

        @Override
        public @Nullable Awaited wrote(Cycle cycle, Pod pod, String nodeName, Wrote wrote) {
            heard.add("wrote " + wrote.written());
            return new Thing();
        }

        @Override
        public ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName) {
            return ReserveVerdict.PASS;
        }

        @Override
        public void unreserve(Cycle cycle, Pod pod, String nodeName) {
            heard.add("unreserve");
        }

        private final class Thing implements Awaited {
            @Override
            public boolean hasHappened() {
                looks++;
                if (breaksWith != null) {
                    throw new IllegalStateException(breaksWith);
                }
                return hasHappened;
            }

            @Override
            public Duration every() {
                return Duration.ofSeconds(1);
            }

            @Override
            public Duration limit() {
                return Duration.ofSeconds(10);
            }

            @Override
            public String lateMessage() {
                return "nobody made the thing";
            }
        }
    }
}
