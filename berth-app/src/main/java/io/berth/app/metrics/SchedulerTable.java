package io.berth.app.metrics;

import static io.berth.serving.metrics.Definition.amounts;
import static io.berth.serving.metrics.Definition.counter;
import static io.berth.serving.metrics.Definition.durations;
import static io.berth.serving.metrics.Definition.gauge;
import static io.berth.serving.metrics.Stability.ALPHA;
import static io.berth.serving.metrics.Stability.BETA;
import static io.berth.serving.metrics.Stability.STABLE;

import io.berth.serving.metrics.Buckets;
import io.berth.serving.metrics.Definition;

/// The scheduler's own metrics (rule E-178 and section 10.2 of the process contract). Names, types,
/// labels and buckets are upstream's; so is the order of the words in a label's value. What begins
/// with `berth_` is ours alone.
final class SchedulerTable {
    private static final Buckets ATTEMPT = Buckets.exponential(0.001, 2, 15);
    private static final Buckets POINT = Buckets.exponential(0.0001, 2, 12);
    private static final Buckets PLUGIN = Buckets.exponential(0.00001, 1.5, 20);
    private static final Buckets SLI = Buckets.exponential(0.01, 2, 20);
    private static final Buckets DEVICES = Buckets.exponential(0.1, 2, 14);

    static final Definition ATTEMPTS =
            counter(
                    "scheduler_schedule_attempts_total",
                    STABLE,
                    "Attempts to schedule a pod, by result. 'unschedulable': no node could take the"
                            + " pod; 'error': something in or around the scheduler broke.",
                    "profile",
                    "result");
    static final Definition ATTEMPT_DURATION =
            durations(
                    "scheduler_scheduling_attempt_duration_seconds",
                    STABLE,
                    "How long an attempt took, from its start to the pod being bound or returned.",
                    ATTEMPT,
                    "profile",
                    "result");
    static final Definition ALGORITHM_DURATION =
            durations(
                    "scheduler_scheduling_algorithm_duration_seconds",
                    ALPHA,
                    "How long the search for a node took.",
                    ATTEMPT);
    static final Definition EVENT_DURATION =
            durations(
                    "scheduler_event_handling_duration_seconds",
                    ALPHA,
                    "How long a change in the cluster took to be applied.",
                    POINT,
                    "event");
    static final Definition MESSAGE_DURATION =
            durations(
                    "berth_engine_message_duration_seconds",
                    ALPHA,
                    "How long the engine was busy with a message, by what the message is.",
                    PLUGIN,
                    "message");
    static final Definition VICTIMS =
            amounts(
                    "scheduler_preemption_victims",
                    STABLE,
                    "How many pods a preemption chose to evict.",
                    Buckets.exponential(1, 2, 7));
    static final Definition PREEMPTIONS =
            counter(
                    "scheduler_preemption_attempts_total",
                    STABLE,
                    "Attempts to make room for a pod by preemption.");
    static final Definition PENDING =
            gauge(
                    "scheduler_pending_pods",
                    STABLE,
                    "Pods that wait, by queue. 'active': to be tried next; 'backoff': after a pause;"
                            + " 'unschedulable': tried in vain, until something changes; 'gated':"
                            + " not to be tried yet.",
                    "queue");
    static final Definition PENDING_CATEGORIES =
            gauge(
                    "berth_pending_pods",
                    ALPHA,
                    "Pods that wait, by what they wait for and the plugin that says so.",
                    "category",
                    "plugin");
    static final Definition INCOMING =
            counter(
                    "scheduler_queue_incoming_pods_total",
                    STABLE,
                    "Pods that entered a queue, by what made them.",
                    "event",
                    "queue");
    static final Definition POD_ATTEMPTS =
            amounts(
                    "scheduler_pod_scheduling_attempts",
                    STABLE,
                    "How many attempts a pod took that was scheduled.",
                    Buckets.exponential(1, 2, 5));
    static final Definition SLI_DURATION =
            durations(
                    "scheduler_pod_scheduling_sli_duration_seconds",
                    BETA,
                    "How long a pod that was scheduled had been ready for it, over all its"
                            + " attempts.",
                    SLI,
                    "attempts");
    static final Definition AFTER_FLUSH =
            counter(
                    "scheduler_pod_scheduled_after_flush_total",
                    ALPHA,
                    "Pods that were scheduled after they had been tried again only because they had"
                            + " waited for too long: the event that helped them was missed.");
    static final Definition POINT_DURATION =
            durations(
                    "scheduler_framework_extension_point_duration_seconds",
                    STABLE,
                    "How long all plugins of an extension point took together.",
                    POINT,
                    "extension_point",
                    "profile",
                    "status");
    static final Definition PLUGIN_DURATION =
            durations(
                    "scheduler_plugin_execution_duration_seconds",
                    ALPHA,
                    "How long a plugin took at an extension point, in one of ten attempts.",
                    PLUGIN,
                    "extension_point",
                    "plugin",
                    "status");
    static final Definition EVALUATIONS =
            counter(
                    "scheduler_plugin_evaluation_total",
                    BETA,
                    "How often a plugin was asked, in Filter and Score about each node.",
                    "extension_point",
                    "plugin",
                    "profile");
    static final Definition RUNNING =
            gauge(
                    "scheduler_goroutines",
                    BETA,
                    "Work under way beside the scheduling loop, such as bindings.",
                    "operation");
    static final Definition PERMIT_DURATION =
            durations(
                    "scheduler_permit_wait_duration_seconds",
                    BETA,
                    "How long a pod waited for its permit.",
                    ATTEMPT,
                    "result");
    static final Definition CACHE_SIZE =
            gauge(
                    "scheduler_cache_size",
                    ALPHA,
                    "Nodes, pods and assumed pods (placed, not yet seen bound) that are known.",
                    "type");
    static final Definition UNSCHEDULABLE =
            gauge(
                    "scheduler_unschedulable_pods",
                    BETA,
                    "Waiting pods by the plugins that refused them. A pod counts once for each, so"
                            + " do not add these up.",
                    "plugin",
                    "profile");
    static final Definition HINT_DURATION =
            durations(
                    "scheduler_queueing_hint_execution_duration_seconds",
                    ALPHA,
                    "How long a plugin took to say whether an event helps a pod.",
                    PLUGIN,
                    "event",
                    "hint",
                    "plugin");
    static final Definition IN_FLIGHT_EVENTS =
            gauge(
                    "scheduler_inflight_events",
                    ALPHA,
                    "Events that are kept for pods being tried.",
                    "event");
    static final Definition EVICTION_DURATION =
            durations(
                    "scheduler_preemption_goroutines_duration_seconds",
                    ALPHA,
                    "How long the evictions of a preemption took.",
                    SLI,
                    "result");
    static final Definition EVICTIONS =
            counter(
                    "scheduler_preemption_goroutines_execution_total",
                    ALPHA,
                    "Preemptions whose evictions came to an end.",
                    "result");
    static final Definition CLAIMS_CREATED =
            counter(
                    "scheduler_resourceclaim_creates_total",
                    ALPHA,
                    "Resource claims created for extended resources.",
                    "status");
    static final Definition DEVICE_BINDINGS =
            counter(
                    "scheduler_dra_bindingconditions_allocations_total",
                    ALPHA,
                    "Allocations of devices with binding conditions.",
                    "driver",
                    "profile",
                    "status");
    static final Definition DEVICE_BINDING_DURATION =
            durations(
                    "scheduler_dra_bindingconditions_wait_duration_seconds",
                    ALPHA,
                    "How long a pod waited for the binding conditions of its devices.",
                    DEVICES,
                    "driver",
                    "profile",
                    "status");
    static final Definition VOLUME_CACHE_REQUESTS =
            counter(
                    "scheduler_volume_binder_cache_requests_total",
                    ALPHA,
                    "Never counted, as in kube-scheduler.",
                    "operation");
    static final Definition VOLUME_STAGE_ERRORS =
            counter(
                    "scheduler_volume_scheduling_stage_error_total",
                    ALPHA,
                    "Failures in a stage of volume scheduling.",
                    "operation");

    private SchedulerTable() {}
}
