package io.berth.engine.cycle;

import static io.berth.engine.Scripted.bind;
import static io.berth.engine.Scripted.permit;
import static io.berth.engine.Scripted.preBind;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PostBind;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.engine.Bed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Whatever is thrown on the way to a node, and even where no thread can be had for it: the binding
/// comes to its end, and nothing of it stays in the books, in the line or among those who wait.
final class BindingLeakTest {
    /// Nothing that anybody expects.
    private static final class Surprise extends Error {
        private static final long serialVersionUID = 1L;

        Surprise() {
            super("surprise");
        }
    }

    private static Bed bed(Plugin... plugins) {
        var bed = Bed.withEngine(settings -> settings.withBindingLine(1), plugins);
        bed.scheduler.add(node("a").build());
        return bed;
    }

    private static void assertNothingLeft(Bed bed) {
        assertThat(bed.engine().queries().underWay()).isZero();
        assertThat(bed.books().state().podCount()).isZero();
        assertThat(bed.handle().waitingPods()).isEmpty();
        assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
    }

    @Test
    @Tag("E-105")
    void errorInBind() {
        var bed =
                bed(
                        bind(
                                "B",
                                pod -> {
                                    throw new Surprise();
                                }));
        bed.run(pod("p").build());
        assertThat(bed.messageOf("p")).isEqualTo("running Bind plugin \"B\": surprise");
        assertNothingLeft(bed);
    }

    @Test
    @Tag("E-133")
    void errorInPreBindAlsoInAGroup() {
        for (var names : List.of(List.of("B"), List.of("B", "C"))) {
            var plugins =
                    names.stream()
                            .map(name ->
                                    (Plugin)
                                            preBind(
                                                    name,
                                                    pod -> true,
                                                    pod -> {
                                                        if (name.equals("B")) {
                                                            throw new Surprise();
                                                        }
                                                        return PreBindVerdict.PASS;
                                                    }))
                            .toArray(Plugin[]::new);
            var bed = bed(plugins);
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("running PreBind plugin \"B\": surprise");
            assertNothingLeft(bed);
        }
    }

    private record Bursting() implements PostBind {
        @Override
        public String name() {
            return "After";
        }

        @Override
        public void postBind(Cycle cycle, Pod pod, String nodeName) {
            throw new Surprise();
        }
    }

    @Test
    void errorInPostBindChangesNothing() {
        var bed = bed(new Bursting());
        bed.run(pod("p").build());
        bed.run(pod("q").build());
        assertThat(bed.nodeOf("q")).as("the line is free").isEqualTo("a");
        assertThat(bed.engine().queries().underWay()).isZero();
        assertThat(bed.log.sentences()).contains("PostBind failed");
    }

    @Test
    void noThreadToBind() {
        var bed = bed();
        bed.scheduler.tasks().refuse(new Surprise());
        bed.scheduler.create(pod("p").build());
        bed.stepOnly();
        assertNothingLeft(bed);

        bed.scheduler.tasks().accept();
        bed.pass(3);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
    }

    @Test
    @Tag("E-131")
    void noThreadToSayWhichNodeToExpect() {
        var bed =
                bed(
                        permit("Waits", pod -> new PermitVerdict.Wait(Duration.ofSeconds(10))),
                        bind("B", pod -> BindVerdict.BOUND));
        bed.scheduler.tasks().refuse(new Surprise());
        bed.scheduler.create(pod("p").build());
        bed.stepOnly();
        assertThat(bed.handle().waitingPods()).as("it is only not told").hasSize(1);

        bed.scheduler.tasks().accept();
        bed.waitingPod("p").reject("Waits", "no");
        bed.stepOnly();
        assertThat(bed.books().state().podCount()).isZero();
        assertThat(bed.handle().waitingPods()).isEmpty();
        bed.scheduler.settle();
        assertThat(bed.engine().queries().underWay()).isZero();
    }
}
