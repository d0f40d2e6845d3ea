package io.berth.app.metrics;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Filter;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.api.write.Write;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.port.Ports;
import io.berth.plugins.InTree;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.PrometheusText;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The real engine with the default plugins feeds the real registry.
@Tag("E-178")
class SchedulerSeriesTest {
    private static final String PROFILE = "profile=" + PodSpec.DEFAULT_SCHEDULER;

    private final ProcessMetrics metrics = new ProcessMetrics(MetricsSettings.DEFAULT);
    private final TestScheduler scheduler =
            TestScheduler.with(
                    InTree.factories(),
                    settings -> settings,
                    this::metered,
                    ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));

    private Ports metered(Ports ports) {
        return ports.meteredBy(metrics.scheduler(), metrics.scheduler());
    }

    private Map<String, Double> samples(String name) {
        var read =
                PrometheusText.read(metrics.process().text()).families().get("scheduler_" + name);
        return read == null ? Map.of() : read.samples;
    }

    private void placeTwo() {
        scheduler.add(node("a").cpu("2").build());
        scheduler.add(node("b").cpu("2").build());
        scheduler.create(pod("one").cpu("1").build());
        scheduler.create(pod("two").cpu("1").build());
        scheduler.settle();
    }

    @Test
    void attemptsAreCountedByResult() {
        placeTwo();
        scheduler.create(pod("big").cpu("64").build());
        scheduler.settle();
        assertThat(samples("schedule_attempts_total"))
                .containsOnly(
                        Map.entry("{" + PROFILE + ", result=scheduled}", 2.0),
                        Map.entry("{" + PROFILE + ", result=unschedulable}", 1.0));
        assertThat(samples("scheduling_attempt_duration_seconds"))
                .containsEntry("_count{" + PROFILE + ", result=scheduled}", 2.0);
        assertThat(samples("scheduling_algorithm_duration_seconds")).containsEntry("_count{}", 3.0);
        assertThat(samples("pod_scheduling_attempts")).containsEntry("_sum{}", 2.0);
        assertThat(samples("pod_scheduling_sli_duration_seconds"))
                .containsEntry("_count{attempts=1}", 2.0);
    }

    @Test
    void attemptsWithoutAPlaceAreNotCountedAsPlaced() {
        placeTwo();
        scheduler.create(pod("big").cpu("64").build());
        scheduler.settle();
        assertThat(metrics.scheduler().placed()).isEqualTo(2);
    }

    @Test
    @Tag("E-137")
    @Tag("P-275")
    void extensionPointsAreTimedOncePerAttempt() {
        placeTwo();
        for (var point :
                new String[] {
                    "PreEnqueue",
                    "PreFilter",
                    "Filter",
                    "PreScore",
                    "Score",
                    "Reserve",
                    "Permit",
                    "PreBind",
                    "Bind",
                    "PostBind"
                }) {
            assertThat(samples("framework_extension_point_duration_seconds"))
                    .containsEntry(
                            "_count{extension_point=%s, %s, status=Success}"
                                    .formatted(point, PROFILE),
                            2.0);
        }
        assertThat(samples("framework_extension_point_duration_seconds"))
                .containsEntry(
                        "_count{extension_point=PreBindPreFlight, %s, status=Skip}"
                                .formatted(PROFILE),
                        2.0);
    }

    @Test
    @Tag("E-137")
    void evaluationsExistFromTheStartAndCountNodes() {
        String fit = "{extension_point=Filter, plugin=NodeResourcesFit, " + PROFILE + "}";
        String ports = "{extension_point=Filter, plugin=NodePorts, " + PROFILE + "}";
        String score = "{extension_point=Score, plugin=ImageLocality, " + PROFILE + "}";
        assertThat(samples("plugin_evaluation_total"))
                .containsEntry(fit, 0.0)
                .containsEntry(ports, 0.0)
                .containsEntry(score, 0.0);
        placeTwo();
        assertThat(samples("plugin_evaluation_total"))
                .containsEntry(fit, 4.0)
                .containsEntry(ports, 0.0)
                .containsEntry(score, 4.0)
                .containsEntry(
                        "{extension_point=PreFilter, plugin=NodeResourcesFit, " + PROFILE + "}",
                        2.0)
                .containsEntry(
                        "{extension_point=PreFilter, plugin=NodePorts, " + PROFILE + "}", 0.0);
    }

    @Test
    @Tag("E-80")
    @Tag("E-137")
    @Tag("P-272")
    void singlePluginsAreTimedInAboutOneAttemptOfTen() {
        scheduler.add(node("a").cpu("1000").pods(1000).build());
        scheduler.add(node("b").cpu("1000").pods(1000).build());
        for (int i = 0; i < 500; i++) {
            scheduler.create(pod("p" + i).cpu("1").build());
            scheduler.settle();
        }
        var timed = samples("plugin_execution_duration_seconds");
        for (var series :
                new String[] {
                    "extension_point=Bind, plugin=DefaultBinder, status=Success",
                    "extension_point=PreFilter, plugin=NodeResourcesFit, status=Success",
                    "extension_point=PreFilter, plugin=NodePorts, status=Skip",
                    "extension_point=Filter, plugin=NodeResourcesFit, status=Success",
                    "extension_point=PreScore, plugin=TaintToleration, status=Success",
                    "extension_point=PreEnqueue, plugin=SchedulingGates, status=Success"
                }) {
            assertThat(timed.get("_count{" + series + "}")).as(series).isBetween(25.0, 90.0);
        }
    }

    @Test
    @Tag("P-276")
    @Tag("E-75")
    void queuesTellWhatComesAndWaits() {
        placeTwo();
        scheduler.create(pod("big").cpu("64").build());
        scheduler.create(pod("gated").gate("later").build());
        scheduler.settle();
        assertThat(samples("pending_pods"))
                .containsOnly(
                        Map.entry("{queue=active}", 0.0),
                        Map.entry("{queue=backoff}", 0.0),
                        Map.entry("{queue=gated}", 1.0),
                        Map.entry("{queue=unschedulable}", 1.0));
        assertThat(samples("queue_incoming_pods_total"))
                .containsEntry("{event=UnschedulablePodAdd, queue=active}", 3.0)
                .containsEntry("{event=UnschedulablePodAdd, queue=unschedulable}", 1.0)
                .containsEntry("{event=ScheduleAttemptFailure, queue=unschedulable}", 1.0);
        assertThat(samples("unschedulable_pods"))
                .containsEntry("{plugin=NodeResourcesFit, " + PROFILE + "}", 1.0)
                .containsEntry("{plugin=SchedulingGates, " + PROFILE + "}", 1.0);
        assertThat(samples("event_handling_duration_seconds"))
                .containsEntry("_count{event=NodeAdd}", 2.0)
                .containsEntry("_count{event=UnschedulablePodAdd}", 4.0)
                .containsEntry("_count{event=AssignedPodAdd}", 2.0)
                .containsEntry("_count{event=UnschedulablePodDelete}", 2.0);
        assertThat(samples("inflight_events")).containsEntry("{event=PodPopped}", 0.0);
    }

    @Test
    @Tag("P-277")
    void gateShowsInTheStatusOfPreEnqueue() {
        scheduler.create(pod("gated").gate("later").build());
        scheduler.settle();
        assertThat(samples("framework_extension_point_duration_seconds"))
                .containsEntry(
                        "_count{extension_point=PreEnqueue, %s,".formatted(PROFILE)
                                + " status=UnschedulableAndUnresolvable}",
                        1.0);
    }

    @Test
    @Tag("E-31")
    void cacheSizesFollowTheBooks() {
        scheduler.add(node("a").cpu("2").build());
        scheduler.create(pod("one").cpu("1").build());
        while (scheduler.engine().step()) {
            // The binding is started, but not carried out yet.
        }
        assertThat(samples("cache_size"))
                .containsOnly(
                        Map.entry("{type=nodes}", 1.0),
                        Map.entry("{type=pods}", 1.0),
                        Map.entry("{type=assumed_pods}", 1.0));
        assertThat(samples("goroutines")).containsEntry("{operation=binding}", 1.0);
        scheduler.settle();
        assertThat(samples("cache_size")).containsEntry("{type=assumed_pods}", 0.0);
        assertThat(samples("goroutines")).containsEntry("{operation=binding}", 0.0);
    }

    /// An engine that ended without tidying up must not be seen in the next one's numbers.
    @Test
    void gaugesOfAnEngineThatIsGoneAreCleared() {
        scheduler.add(node("n").pods(1).build());
        scheduler.create(pod("placed").build());
        scheduler.create(pod("parked").build());
        scheduler.settle();
        assertThat(samples("unschedulable_pods")).isNotEmpty();
        assertThat(samples("cache_size")).containsEntry("{type=nodes}", 1.0);
        metrics.scheduler().clear();
        for (String gauge :
                List.of(
                        "goroutines",
                        "pending_pods",
                        "cache_size",
                        "unschedulable_pods",
                        "inflight_events")) {
            assertThat(samples(gauge).values()).as(gauge).containsOnly(0.0);
        }
    }

    @Test
    @Tag("P-277")
    @Tag("E-162")
    void preemptionIsCountedWithItsRealOutcome() {
        scheduler.add(node("a").cpu("2").build());
        scheduler.create(pod("low1").cpu("1").build());
        scheduler.create(pod("low2").cpu("1").build());
        scheduler.settle();
        scheduler.create(pod("vip").cpu("2").priority(1000).build());
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(3));
        assertThat(scheduler.nodeOf("default/vip")).isEqualTo("a");
        assertThat(samples("preemption_attempts_total")).containsEntry("{}", 1.0);
        assertThat(samples("preemption_victims"))
                .containsEntry("_count{}", 1.0)
                .containsEntry("_sum{}", 2.0);
        assertThat(samples("preemption_goroutines_execution_total"))
                .containsOnly(Map.entry("{result=success}", 1.0));
        assertThat(samples("preemption_goroutines_duration_seconds"))
                .containsEntry("_count{result=success}", 1.0);
        assertThat(samples("framework_extension_point_duration_seconds"))
                .containsEntry(
                        "_count{extension_point=PostFilter, %s, status=Success}".formatted(PROFILE),
                        1.0);
    }

    @Test
    void hintsAreTimedForAFewPodsOfAnEvent() {
        scheduler.add(node("a").cpu("1").build());
        scheduler.create(pod("filler").cpu("1").build());
        scheduler.settle();
        for (int i = 0; i < 40; i++) {
            scheduler.create(pod("p" + i).cpu("1").build());
        }
        scheduler.settle();
        scheduler.cluster().send(new Write.Delete(scheduler.cluster().pod("default/filler")));
        scheduler.settle();
        assertThat(samples("queueing_hint_execution_duration_seconds"))
                .containsEntry(
                        "_count{event=AssignedPodDelete, hint=Queue, plugin=NodeResourcesFit}",
                        16.0);
    }

    @Test
    void podThatOnlyTheFlushHelpedIsCounted() {
        var shut = new AtomicBoolean(true);
        var plugins =
                TestPlugins.of(InTree.factories(), InTree.defaults())
                        .and(new MissesItsEvent(shut), 0);
        var other =
                TestScheduler.with(
                        plugins.factories(),
                        settings -> settings,
                        this::metered,
                        plugins.profile());
        other.add(node("a").cpu("1").build());
        other.create(pod("p").cpu("1").build());
        other.settle();
        shut.set(false);
        other.pass(Duration.ofMinutes(4));
        assertThat(other.nodeOf("default/p")).isEmpty();
        other.pass(Duration.ofMinutes(2));
        assertThat(other.nodeOf("default/p")).isEqualTo("a");
        assertThat(samples("pod_scheduled_after_flush_total")).containsEntry("{}", 1.0);
        assertThat(samples("queue_incoming_pods_total"))
                .containsEntry("{event=UnschedulableTimeout, queue=active}", 1.0);
        assertThat(samples("pod_scheduling_sli_duration_seconds"))
                .containsEntry("_count{attempts=2}", 1.0);
    }

    /// Refuses while it is shut, and names no event that could tell of its opening.
    private record MissesItsEvent(AtomicBoolean shut) implements Filter, Events {
        @Override
        public String name() {
            return "MissesItsEvent";
        }

        @Override
        public List<Registration> events() {
            return List.of();
        }

        @Override
        public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
            return shut.get() ? Refusal.mayPreempt("shut") : Verdict.PASS;
        }
    }
}
