package io.berth.engine;

import static io.berth.engine.Scripted.permit;
import static io.berth.engine.Scripted.preBind;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.journal.Decision;
import io.berth.engine.journal.Entry;
import io.berth.engine.journal.RingJournal;
import io.berth.engine.port.Ports;
import io.berth.engine.port.TimeSource;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// What an engine was told is on record, and an engine that is told the same decides the same.
final class ReplayTest {
    private final RingJournal journal = new RingJournal(10_000);
    private final AtomicInteger outsideValue = new AtomicInteger();
    private final List<PluginFactory> factories = new ArrayList<>();

    private void add(String name, Function<Handle, Plugin> make) {
        factories.add(TestPlugins.factory(name, make));
    }

    private ProfileSettings profile() {
        return ProfileSettings.of(
                PodSpec.DEFAULT_SCHEDULER,
                factories.stream().map(factory -> EnabledPlugin.of(factory.name())).toList());
    }

    private TestScheduler scheduler(UnaryOperator<Ports> change) {
        add("Order", _ -> new TestPlugins.Order());
        add("Binder", TestPlugins.Binder::new);
        return TestScheduler.with(
                factories,
                settings -> settings,
                ports -> change.apply(ports.withJournal(journal)),
                profile());
    }

    private List<Decision> again() {
        return Replay.run(
                journal.entries(),
                EngineSettings.of(List.of(profile())).awaiting(Set.of()),
                Registry.of(factories),
                List.of());
    }

    private static PermitVerdict waitFor(Pod pod) {
        return pod.name().startsWith("waits")
                ? new PermitVerdict.Wait(Duration.ofSeconds(5))
                : PermitVerdict.PASS;
    }

    /// A permit that depends on something that the engine does not know.
    private PermitVerdict moody(Handle handle, Pod pod) {
        if (handle.outside(outsideValue::get) == 1) {
            throw new IllegalStateException("not now");
        }
        return waitFor(pod);
    }

    @Test
    void engineThatIsToldTheSameDecidesTheSame() {
        add("Moody", handle -> permit("Moody", pod -> moody(handle, pod)));
        add(
                "Prepares",
                _ ->
                        preBind(
                                "Prepares",
                                pod -> pod.name().startsWith("prepared"),
                                _ -> PreBindVerdict.PASS));
        var scheduler = scheduler(ports -> ports);
        scheduler.add(node("a").cpu("2").build());
        for (var name : List.of("p1", "waits1", "prepared1", "big", "waits2")) {
            scheduler.create(pod(name).cpu(name.equals("big") ? "50" : "100m").build());
        }
        scheduler.settle();
        outsideValue.set(1);
        scheduler.create(pod("p2").cpu("100m").build());
        scheduler.settle();
        outsideValue.set(0);
        scheduler.pass(Duration.ofSeconds(20));
        scheduler.add(node("b").cpu("64").build());
        scheduler.pass(Duration.ofSeconds(20));

        var decided = Entry.decisions(journal.entries());
        assertThat(decided).hasSizeGreaterThan(8);
        assertThat(decided).hasAtLeastOneElementOfType(Decision.Unplaced.class);
        outsideValue.set(7);
        assertThat(again()).hasToString(decided.toString());
    }

    /// The simulation came upon it: that there was no thread for a task was on no record, since the
    /// engine thread had found it out itself, and an engine that lived through the journal went on
    /// as if the task were still to end.
    @Test
    void noThreadForATaskIsOnRecord() {
        add(
                "Asks",
                handle ->
                        permit(
                                "Asks",
                                pod -> {
                                    handle.background("ask about " + pod.key(), () -> {});
                                    return PermitVerdict.PASS;
                                }));
        var scheduler = scheduler(ports -> ports);
        scheduler.add(node("a").build());
        scheduler.create(pod("p").build());
        scheduler.settle();
        scheduler.tasks().refuse(new OutOfMemoryError("unable to create native thread"));
        scheduler.create(pod("q").build());
        scheduler.pass(Duration.ofSeconds(1));
        scheduler.tasks().accept();
        scheduler.pass(Duration.ofSeconds(20));

        var decided = Entry.decisions(journal.entries());
        assertThat(decided).hasAtLeastOneElementOfType(Decision.Unplaced.class);
        assertThat(scheduler.nodeOf("default/q")).isEqualTo("a");
        assertThat(again()).hasToString(decided.toString());
    }

    @Test
    void noThreadForABindingIsOnRecord() {
        var scheduler = scheduler(ports -> ports);
        scheduler.add(node("a").build());
        scheduler.tasks().refuse(new OutOfMemoryError("unable to create native thread"));
        scheduler.create(pod("p").build());
        scheduler.pass(Duration.ofSeconds(1));
        scheduler.tasks().accept();
        scheduler.pass(Duration.ofSeconds(20));

        var decided = Entry.decisions(journal.entries());
        assertThat(decided).hasAtLeastOneElementOfType(Decision.Unplaced.class);
        assertThat(scheduler.nodeOf("default/p")).isEqualTo("a");
        assertThat(again()).hasToString(decided.toString());
    }

    @Test
    void clockIsReadOncePerStep() {
        var reads = new AtomicInteger();
        var scheduler =
                scheduler(ports ->
                        new Ports(
                                        new CountedTime(ports.time(), reads),
                                        ports.seed(),
                                        ports.tasks(),
                                        ports.workers(),
                                        ports.writes(),
                                        ports.recorder(),
                                        ports.metrics(),
                                        ports.queueMetrics(),
                                        ports.log())
                                .withJournal(journal));
        scheduler.add(node("a").build());
        scheduler.create(pod("p").build());
        scheduler.create(pod("q").build());
        int before = reads.get();
        assertThat(scheduler.engine().step()).isTrue();
        assertThat(reads.get() - before).isEqualTo(1);
    }

    private record CountedTime(TimeSource real, AtomicInteger reads) implements TimeSource {
        @Override
        public long nowMillis() {
            reads.incrementAndGet();
            return real.nowMillis();
        }

        @Override
        public long wallMillis() {
            return real.wallMillis();
        }

        @Override
        public long nanos() {
            return real.nanos();
        }
    }

    @Test
    void stepSaysHowMuchItTookAndQuestionsLeaveNoTrace() throws Exception {
        var scheduler = scheduler(ports -> ports);
        scheduler.add(node("a").build());
        scheduler.settle();
        int before = journal.entries().size();
        var answer = scheduler.engine().ask(asked -> asked.nodes().size());
        scheduler.settle();
        assertThat(answer.get()).isEqualTo(1);
        // The border of the step that answered is all there is.
        assertThat(journal.entries().subList(before, journal.entries().size()))
                .allSatisfy(entry -> assertThat(entry).isInstanceOf(Entry.Step.class));
    }

    @Test
    void questionThatChangesTheEngineIsToldOf() {
        var scheduler = scheduler(ports -> ports);
        scheduler.create(pod("p").build());
        scheduler.settle();
        var _ =
                scheduler
                        .engine()
                        .ask(asked -> {
                            Inspection.of(scheduler.engine()).queue().delete(pod("p").build());
                            return true;
                        });
        assertThatThrownBy(scheduler.engine()::step)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a question changed the engine");
    }

    @Test
    void ringKeepsTheLastEntriesAndHowItBegan() {
        var ring = new RingJournal(3);
        ring.begin(42, 7, false);
        for (int i = 0; i < 10; i++) {
            ring.step(i, i, i);
        }
        assertThat(ring.entries())
                .containsExactly(
                        new Entry.Begin(42, 7, false),
                        new Entry.Step(7, 7, 7),
                        new Entry.Step(8, 8, 8),
                        new Entry.Step(9, 9, 9));
        assertThat(ring.lostCount()).isEqualTo(7);
    }
}
