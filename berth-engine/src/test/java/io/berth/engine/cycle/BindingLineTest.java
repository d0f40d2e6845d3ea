package io.berth.engine.cycle;

import static io.berth.engine.Scripted.bind;
import static io.berth.engine.Scripted.preBind;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Awaited;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PreBind;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.engine.Bed;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How far ahead of the API server pods are decided on.
final class BindingLineTest {
    private static Bed withLine(int length, Plugin... plugins) {
        var bed = Bed.withEngine(settings -> settings.withBindingLine(length), plugins);
        bed.scheduler.add(node("a").build());
        return bed;
    }

    private static void create(Bed bed, String... names) {
        for (String name : names) {
            bed.scheduler.create(pod(name).build());
        }
    }

    @Test
    void podsStayInTheQueueWhileTheLineIsFull() {
        var bed = withLine(2);
        create(bed, "p1", "p2", "p3");
        bed.stepOnly();
        assertThat(bed.engine().queries().underWay()).isEqualTo(2);
        assertThat(bed.books().queue().counts().active()).isEqualTo(1);

        bed.scheduler.settle();
        assertThat(bed.nodeOf("p3")).isEqualTo("a");
    }

    @Test
    void whatMattersMoreGoesNext() {
        var bed = withLine(1);
        create(bed, "first", "second");
        bed.stepOnly();
        bed.scheduler.create(pod("urgent").priority(1000).build());
        bed.stepOnly();
        assertThat(bed.books().queue().counts().active()).isEqualTo(2);

        bed.scheduler.settle();
        assertThat(bed.notes())
                .containsExactly(
                        "Successfully assigned default/first to a",
                        "Successfully assigned default/urgent to a",
                        "Successfully assigned default/second to a");
    }

    @Test
    void failedBindingsLeaveTheLine() {
        var bed = withLine(1);
        bed.scheduler
                .cluster()
                .failNextBind(
                        "default/p1",
                        new ClusterException(ClusterException.Kind.CONFLICT, "refused"));
        create(bed, "p1", "p2");
        bed.scheduler.settle();
        assertThat(bed.nodeOf("p2")).isEqualTo("a");
    }

    @Test
    void bindingThatIsNotAnsweredForLongNoLongerCounts() {
        var bed = withLine(1);
        create(bed, "p1", "p2");
        bed.stepOnly();
        assertThat(bed.engine().queries().underWay()).isEqualTo(1);
        long patience = BindingLine.PATIENCE.toMillis();
        assertThat(bed.engine().nextDeadlineMillis())
                .isEqualTo(bed.scheduler.clock().nowMillis() + patience);

        bed.scheduler.clock().advance(BindingLine.PATIENCE);
        bed.stepOnly();
        assertThat(bed.engine().queries().underWay()).isEqualTo(2);
    }

    @Test
    void nobodyWaitsForBindersThatMayTakeLong() {
        var bed = withLine(1, bind("Slow", pod -> BindVerdict.SKIP));
        create(bed, "p1", "p2", "p3");
        bed.stepOnly();
        assertThat(bed.engine().queries().underWay()).isEqualTo(3);
    }

    @Test
    void nobodyWaitsForWhatIsPrepared() {
        var bed = withLine(1, preBind("Slow", pod -> PreBindVerdict.PASS));
        create(bed, "p1", "p2", "p3");
        bed.stepOnly();
        // Each of them, and what is said of the node that it is meant for.
        assertThat(bed.engine().queries().underWay()).isEqualTo(6);
    }

    /// All 2,500 pods with claims were decided on at once, so that the first of them was bound when
    /// the API server had prepared most of the others.
    @Test
    void whatIsPreparedByWritesStandsInLine() {
        var writer = new Writer();
        var bed = withLine(1, writer);
        create(bed, "p1", "p2");
        bed.stepOnly();
        assertThat(bed.books().queue().counts().active()).isEqualTo(1);
        bed.scheduler.settle();
        assertThat(bed.nodeOf("p1")).isEqualTo("a");
        assertThat(bed.nodeOf("p2")).isEqualTo("a");
    }

    @Test
    void whoWaitsForOthersLeavesTheLine() {
        var writer = new Writer();
        writer.waits = true;
        var bed = withLine(1, writer);
        create(bed, "p1", "p2");
        bed.scheduler.settle();
        assertThat(bed.nodeOf("p1")).isEmpty();
        assertThat(bed.books().queue().counts().active()).isZero();
        assertThat(bed.engine().queries().underWay()).isEqualTo(2);
    }

    /// Prepares bindings by writes alone, and may then wait for what never happens.
    private static final class Writer implements PreBind {
        boolean waits;

        @Override
        public String name() {
            return "Writer";
        }

        @Override
        public boolean onlyWrites() {
            return true;
        }

        @Override
        public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
            return new PreBindVerdict.Wrote(List.of(), null);
        }

        @Override
        public @Nullable Awaited wrote(
                Cycle cycle, Pod pod, String nodeName, PreBindVerdict.Wrote wrote) {
            return waits ? new Never() : null;
        }
    }

    private record Never() implements Awaited {
        @Override
        public boolean hasHappened() {
            return false;
        }

        @Override
        public Duration every() {
            return Duration.ofSeconds(1);
        }

        @Override
        public Duration limit() {
            return Duration.ofMinutes(1);
        }

        @Override
        public String lateMessage() {
            return "nobody came";
        }
    }
}
