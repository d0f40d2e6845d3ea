package io.berth.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.serving.metrics.Definition;
import io.berth.serving.metrics.GoNumber;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.PrometheusText;
import io.berth.serving.metrics.Stability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Names, types, stability, labels and bounds are those that the real kube-scheduler showed.
class MetricFactsTest {
    /// Kept results per pod template take the place of opportunistic batching, and certificates are
    /// reloaded without queues.
    private static final Set<String> NOT_HERE =
            Set.of(
                    "scheduler_batch_attempts_total",
                    "scheduler_batch_cache_flushed_total",
                    "scheduler_get_node_hint_duration_seconds",
                    "scheduler_store_schedule_results_duration_seconds",
                    "workqueue_adds_total",
                    "workqueue_depth",
                    "workqueue_longest_running_processor_seconds",
                    "workqueue_queue_duration_seconds",
                    "workqueue_retries_total",
                    "workqueue_unfinished_work_seconds",
                    "workqueue_work_duration_seconds");

    private final ProcessMetrics metrics = new ProcessMetrics(MetricsSettings.DEFAULT);

    /// One line of the recording.
    private record Fact(
            String name, String type, String stability, String labels, String bounds, String page) {
        static Fact parse(String line) {
            var parts = line.split(" ", -1);
            return new Fact(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
        }

        static Fact of(Definition metric, String page) {
            return new Fact(
                    metric.name(),
                    metric.type().text(),
                    metric.stability() == Stability.UNSTATED ? "-" : metric.stability().name(),
                    joined(metric.labels()),
                    joined(metric.bounds().bounds().stream().map(GoNumber::format).toList()),
                    page);
        }

        private static String joined(List<String> words) {
            return words.isEmpty() ? "-" : String.join(",", words);
        }
    }

    private static List<Fact> recorded() throws IOException {
        try (var file = MetricFactsTest.class.getResourceAsStream("kube-scheduler.txt")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Fact::parse)
                    .toList();
        }
    }

    @Test
    @Tag("P-270")
    @Tag("P-271")
    @Tag("P-290")
    @Tag("P-293")
    @Tag("E-178")
    void everyMetricIsWhatItIsUpstream() throws IOException {
        var ours = new TreeMap<String, Fact>();
        metrics.process()
                .definitions()
                .forEach(one -> ours.put(one.name() + " /metrics", Fact.of(one, "/metrics")));
        metrics.slis()
                .definitions()
                .forEach(one ->
                        ours.put(one.name() + " /metrics/slis", Fact.of(one, "/metrics/slis")));
        var differences =
                recorded().stream()
                        .filter(fact -> !NOT_HERE.contains(fact.name))
                        .filter(fact -> !fact.page.equals("/metrics/resources"))
                        .filter(fact -> !fact.equals(ours.get(fact.name + " " + fact.page)))
                        .map(fact -> fact + "\nours: " + ours.get(fact.name + " " + fact.page))
                        .collect(Collectors.joining("\n"));
        assertThat(differences).isEmpty();
    }

    /// Rows of the contract that the recording does not hold, since nothing made them move.
    @Test
    @Tag("P-291")
    @Tag("E-178")
    void restOfTheTableIsRegisteredToo() {
        var ours = new HashMap<String, Fact>();
        metrics.process().definitions().forEach(one -> ours.put(one.name(), Fact.of(one, "")));
        String attempt =
                "0.001,0.002,0.004,0.008,0.016,0.032,0.064,0.128,0.256,0.512,1.024,2.048,4.096,"
                        + "8.192,16.384";
        assertThat(
                        List.of(
                                "scheduler_permit_wait_duration_seconds histogram BETA result "
                                        + attempt
                                        + " ",
                                "scheduler_resourceclaim_creates_total counter ALPHA status - ",
                                "scheduler_dra_bindingconditions_allocations_total counter ALPHA"
                                        + " driver,profile,status - ",
                                "scheduler_dra_bindingconditions_wait_duration_seconds histogram"
                                        + " ALPHA driver,profile,status"
                                        + " 0.1,0.2,0.4,0.8,1.6,3.2,6.4,12.8,25.6,51.2,102.4,204.8,"
                                        + "409.6,819.2 ",
                                "scheduler_volume_binder_cache_requests_total counter ALPHA"
                                        + " operation - ",
                                "scheduler_volume_scheduling_stage_error_total counter ALPHA"
                                        + " operation - ",
                                "rest_client_request_retries_total counter ALPHA code,host,verb - ",
                                "rest_client_exec_plugin_call_total counter ALPHA call_status,code"
                                        + " - ",
                                "rest_client_transport_ca_reload_total counter ALPHA reason,result"
                                        + " - ",
                                "rest_client_transport_cache_gc_calls_total counter ALPHA result - ",
                                "leader_election_slowpath_total counter ALPHA name - ",
                                "apiserver_delegated_authn_request_total counter ALPHA code - ",
                                "apiserver_delegated_authz_request_total counter ALPHA code - ",
                                "apiserver_delegated_authn_request_duration_seconds histogram ALPHA"
                                        + " code 0.25,0.5,0.7,1,1.5,3,5,10 ",
                                "apiserver_delegated_authz_request_duration_seconds histogram ALPHA"
                                        + " code 0.25,0.5,0.7,1,1.5,3,5,10 ",
                                "authentication_token_cache_request_total counter ALPHA status - ",
                                "authentication_token_cache_fetch_total counter ALPHA status - ",
                                "authentication_token_cache_active_fetch_count gauge ALPHA status"
                                        + " - "))
                .allSatisfy(line -> {
                    var fact = Fact.parse(line);
                    assertThat(ours.get(fact.name)).isEqualTo(fact);
                });
    }

    @Test
    @Tag("P-271")
    void seriesWithoutLabelsAndTheKnownOnesExistFromTheStart() {
        var read = PrometheusText.read(metrics.process().text());
        assertThat(read.families())
                .containsKeys(
                        "scheduler_pod_scheduled_after_flush_total",
                        "scheduler_pod_scheduling_attempts",
                        "scheduler_preemption_attempts_total",
                        "scheduler_preemption_victims",
                        "scheduler_scheduling_algorithm_duration_seconds",
                        "rest_client_exec_plugin_ttl_seconds",
                        "rest_client_exec_plugin_certificate_rotation_age");
        assertThat(read.family("scheduler_pending_pods").samples.keySet())
                .containsExactlyInAnyOrder(
                        "{queue=active}",
                        "{queue=backoff}",
                        "{queue=gated}",
                        "{queue=unschedulable}");
        assertThat(read.family("scheduler_cache_size").samples.keySet())
                .containsExactlyInAnyOrder("{type=assumed_pods}", "{type=nodes}", "{type=pods}");
        assertThat(read.family("rest_client_exec_plugin_ttl_seconds").samples)
                .containsEntry("{}", Double.POSITIVE_INFINITY);
        assertThat(read.families()).doesNotContainKeys("scheduler_schedule_attempts_total");
    }

    @Test
    @Tag("P-270")
    void helpTellsTheStabilityFirst() {
        var read = PrometheusText.read(metrics.process().text());
        assertThat(read.family("scheduler_pending_pods").help).startsWith("[STABLE] ");
        assertThat(read.family("scheduler_cache_size").help).startsWith("[ALPHA] ");
        assertThat(read.family("process_open_fds").help).doesNotContain("[");
    }

    @Test
    @Tag("P-273")
    void registeredMetricsAreCountedByStability() {
        int stable = 0;
        for (var one : metrics.process().definitions()) {
            stable += one.stability() == Stability.STABLE ? 1 : 0;
        }
        var read = PrometheusText.read(metrics.process().text());
        assertThat(read.family("registered_metrics_total").samples)
                .containsEntry("{deprecated_version=, stability_level=STABLE}", (double) stable);
    }

    @Test
    @Tag("P-293")
    void processAndMachineAreDescribed() {
        var read = PrometheusText.read(metrics.process().text());
        assertThat(read.families())
                .containsKeys(
                        "process_cpu_seconds_total",
                        "process_start_time_seconds",
                        "jvm_memory_used_bytes",
                        "jvm_gc_collection_seconds",
                        "jvm_threads_current");
        assertThat(read.family("jvm_memory_used_bytes").samples.get("{area=heap}")).isPositive();
    }

    @Test
    void pagesOfAFreshProcessHoldNoPods() {
        assertThat(metrics.resources(CompletableFuture.completedFuture(List.of()))).isEmpty();
    }
}
