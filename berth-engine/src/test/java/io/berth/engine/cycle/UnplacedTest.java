package io.berth.engine.cycle;

import static io.berth.engine.Scripted.filter;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.GoDuration;
import io.berth.api.handle.ClusterException;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Recorder;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.Filter;
import io.berth.api.verdict.Refusal;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.Bed;
import io.berth.engine.message.Message;
import io.berth.testkit.NotedLog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens to a pod that got no place.
@Tag("E-107")
final class UnplacedTest {
    private String answer = "no";

    /// Refuses with the current answer.
    private final Filter refuses = filter("No", (pod, node) -> Refusal.mayPreempt(answer));

    private Bed oneNode() {
        var bed = Bed.of(refuses);
        bed.scheduler.add(node("a").build());
        return bed;
    }

    @Test
    @Tag("E-121")
    void eventAndConditionSayWhy() {
        var bed = oneNode();
        bed.run(pod("p").build());
        assertThat(bed.scheduler.cluster().events())
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.type()).isEqualTo(Recorder.Type.WARNING);
                    assertThat(event.reason()).isEqualTo("FailedScheduling");
                    assertThat(event.action()).isEqualTo("Scheduling");
                    assertThat(event.note()).isEqualTo("0/1 nodes are available: 1 no.");
                    assertThat(event.controller()).isEqualTo("default-scheduler");
                });
        assertThat(bed.conditionOf("p"))
                .isEqualTo(
                        PodCondition.of(
                                "PodScheduled",
                                "False",
                                "Unschedulable",
                                "0/1 nodes are available: 1 no."));
    }

    @Nested
    @Tag("E-108")
    final class Writing {
        @Test
        void sameConditionIsNotWrittenTwice() {
            var bed = oneNode();
            bed.run(pod("p").build());
            assertThat(bed.writes).hasSize(1);
            bed.books().queue().activate(List.of(pod("p").build()));
            bed.scheduler.settle();
            assertThat(bed.queued("p").attempts()).isEqualTo(2);
            assertThat(bed.writes).hasSize(1);
            assertThat(bed.notes()).hasSize(2);
        }

        @Test
        void otherMessageIsWritten() {
            var bed = oneNode();
            bed.run(pod("p").build());
            answer = "still not";
            bed.books().queue().activate(List.of(pod("p").build()));
            bed.scheduler.settle();
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 still not.");
        }

        @Test
        void failedWriteIsLoggedAndThePodGoesOn() {
            var bed = oneNode();
            bed.patchFailure = new ClusterException(ClusterException.Kind.REFUSED, "forbidden");
            bed.run(pod("p").build());
            assertThat(bed.log.sentences()).contains("Error updating pod");
            assertThat(bed.subQueueOf("p")).isEqualTo("PARKED");
            assertThat(bed.engine().queries().underWay()).isZero();
        }

        @Test
        void onlyTheNewestOfWhatWaitsIsWritten() {
            var bed = oneNode();
            bed.scheduler.create(pod("p").build());
            bed.stepOnly();
            for (var reason : List.of("second", "third")) {
                answer = reason;
                bed.books().queue().activate(List.of(pod("p").build()));
                bed.stepOnly();
            }
            assertThat(bed.queued("p").attempts()).isEqualTo(3);
            bed.scheduler.settle();
            assertThat(bed.writes).hasSize(2);
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 third.");
        }

        @Test
        void wordTakenBackWhileItsWriteIsUnderWayIsTakenBackInTheClusterToo() {
            var bed = oneNode();
            bed.run(pod("p").build());
            // "other" is being written when the pod fails with "no" again.
            answer = "other";
            bed.books().queue().activate(List.of(pod("p").build()));
            bed.stepOnly();
            answer = "no";
            bed.books().queue().activate(List.of(pod("p").build()));
            bed.stepOnly();
            bed.scheduler.settle();
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 no.");
        }
    }

    @Nested
    @Tag("E-108")
    final class WritingOneAfterTheOther {
        private final List<String> written = new ArrayList<>();
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private boolean isRefusing;

        private final ClusterWrites writes =
                (write, departure) -> {
                    if (isRefusing) {
                        throw new ClusterException(ClusterException.Kind.UNAVAILABLE, "no");
                    }
                    var patch = (Write.PatchStatus) write;
                    written.add(
                            Objects.requireNonNull(patch.condition()).message()
                                    + " nomination="
                                    + patch.nominatedNodeName());
                    return departure.leaves() ? Receipt.SENT : Receipt.WITHDRAWN;
                };

        private final Errands errands =
                new Errands((name, task) -> tasks.add(task), this::ended, new NotedLog());
        private final StatusWrites statuses = new StatusWrites(writes, errands, new NotedLog());

        private void ended(Message outcome) {
            errands.ended((Message.Outcome) outcome);
        }

        private void write(String message, @Nullable String nomination) {
            statuses.write(
                    pod("p").build(),
                    PodCondition.of("PodScheduled", "False", "Unschedulable", message),
                    nomination);
        }

        private void runTasks() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }

        @Test
        void nominationOfAWriteThatIsReplacedStillHolds() {
            write("one", null);
            write("two", "a");
            write("three", null);
            runTasks();
            assertThat(written).containsExactly("one nomination=null", "three nomination=a");
            assertThat(statuses.underWay()).isZero();
        }

        @Test
        void wordThatCouldNotBeWrittenIsWrittenWhenSaidAgain() {
            isRefusing = true;
            write("one", null);
            write("one", null);
            tasks.remove().run();
            isRefusing = false;
            runTasks();
            assertThat(written).containsExactly("one nomination=null");
        }

        @Test
        void wordThatHasJustBeenWrittenIsNotWrittenAgain() {
            write("one", null);
            write("one", null);
            runTasks();
            assertThat(written).containsExactly("one nomination=null");
            assertThat(statuses.underWay()).isZero();
        }
    }

    @Nested
    @Tag("P-160")
    final class Notes {
        @Test
        void shortNoteStaysAsItIs() {
            var note = "x".repeat(1024);
            assertThat(Unplaced.cut(note)).isEqualTo(note);
        }

        @Test
        void longNoteIsCutToTheLimitAndMarked() {
            assertThat(Unplaced.cut("x".repeat(1025))).isEqualTo("x".repeat(1020) + " ...");
        }

        @ParameterizedTest
        @ValueSource(strings = {"é", "€", "😀", "aé", "ab€", "a😀"})
        void noCharacterIsCutInTwo(String unit) {
            for (int shift = 0; shift < 5; shift++) {
                var note = "-".repeat(shift) + unit.repeat(1024);
                var cut = Unplaced.cut(note);
                int bytes = cut.getBytes(StandardCharsets.UTF_8).length;
                assertThat(bytes).isBetween(1021, 1024);
                assertThat(cut).endsWith(" ...").doesNotContain("\uFFFD");
                assertThat(note).startsWith(cut.substring(0, cut.length() - 4));
                assertThat(Character.isHighSurrogate(cut.charAt(cut.length() - 5))).isFalse();
            }
        }

        @Test
        void conditionKeepsTheWholeMessage() {
            var bed = oneNode();
            answer = "y".repeat(2000);
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).hasSizeGreaterThan(2000);
            assertThat(bed.notes().getFirst()).hasSize(1024).endsWith("y ...");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT10S, 10s",
        "PT1.5S, 1.5s",
        "PT0.1S, 100ms",
        "PT0.0000015S, 1.5µs",
        "PT0.000000001S, 1ns",
        "PT5M, 5m0s",
        "PT15M, 15m0s",
        "PT1H, 1h0m0s",
        "PT25H1M2.25S, 25h1m2.25s",
        "PT-1M, -1m0s"
    })
    @Tag("E-132")
    void durationsReadAsInGo(String given, String text) {
        assertThat(GoDuration.format(Duration.parse(given))).isEqualTo(text);
    }
}
