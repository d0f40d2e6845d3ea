package io.berth.engine.cycle;

import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.permit;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.testkit.HandClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Somebody sets the wall clock back by an hour. Pods that back off or wait for a permit do not
/// wait for an hour longer.
final class ClockSetBackTest {
    private static void setBack(Bed bed) {
        bed.scheduler.clock().setWall(HandClock.START.minus(Duration.ofHours(1)));
    }

    @Test
    @Tag("E-49")
    void backOffEndsInTime() {
        var tries = new AtomicInteger();
        var bed =
                Bed.of(
                        filter(
                                "Breaks",
                                (pod, node) -> {
                                    if (tries.incrementAndGet() == 1) {
                                        throw new IllegalStateException("broken");
                                    }
                                    return Verdict.PASS;
                                }));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        setBack(bed);
        bed.pass(3);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
    }

    @Test
    @Tag("E-58")
    void parkedPodIsTriedAgainInTime() {
        var fits = new AtomicBoolean();
        var bed =
                Bed.of(
                        filter(
                                "Refuses",
                                (pod, node) ->
                                        fits.get() ? Verdict.PASS : Refusal.mayPreempt("not yet")));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.subQueueOf("p")).isEqualTo("PARKED");
        fits.set(true);
        setBack(bed);
        bed.pass(330);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
    }

    @Test
    @Tag("E-132")
    void permitRunsOutInTime() {
        var bed = Bed.of(permit("Waits", pod -> new PermitVerdict.Wait(Duration.ofSeconds(10))));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        setBack(bed);
        bed.pass(9);
        assertThat(bed.handle().waitingPods()).hasSize(1);
        bed.pass(1);
        assertThat(bed.messageOf("p"))
                .contains("rejected due to timeout after waiting 10s at plugin Waits");
    }

    @Test
    void pluginsSeeTheWallClock() {
        var bed = Bed.of();
        setBack(bed);
        bed.stepOnly();
        assertThat(bed.handle().nowMillis())
                .isEqualTo(HandClock.START.minus(Duration.ofHours(1)).toEpochMilli());
    }
}
