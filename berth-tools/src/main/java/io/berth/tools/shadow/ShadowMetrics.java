package io.berth.tools.shadow;

import io.berth.lab.shadow.Finding;
import io.berth.lab.shadow.Omission;
import io.berth.lab.shadow.Result;
import io.berth.lab.shadow.ShadowObserver;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import io.berth.serving.metrics.Buckets;
import io.berth.serving.metrics.Counter;
import io.berth.serving.metrics.Definition;
import io.berth.serving.metrics.Family;
import io.berth.serving.metrics.Gauge;
import io.berth.serving.metrics.Histogram;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.Registry;
import io.berth.serving.metrics.Stability;

/// What a shadow finds, as metrics.
final class ShadowMetrics implements ShadowObserver, Endpoint {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final long NANOS_A_MILLI = 1_000_000;

    private final Registry registry = Registry.plain(MetricsSettings.DEFAULT);
    private final Family<Counter> decisions =
            registry.counter(
                    Definition.counter(
                            "berth_shadow_decisions_total",
                            Stability.ALPHA,
                            "Decisions that were judged, by what they came to.",
                            "profile",
                            "result"));
    private final Family<Counter> leftOut =
            registry.counter(
                    Definition.counter(
                            "berth_shadow_left_out_total",
                            Stability.ALPHA,
                            "Pods with a node that were not judged, by the reason.",
                            "reason"));
    private final Histogram regret =
            registry.histogram(
                            Definition.amounts(
                                    "berth_shadow_regret",
                                    Stability.ALPHA,
                                    "By how many points the best node was better than the one that was taken.",
                                    Buckets.of(0, 1, 2, 5, 10, 20, 50, 100, 200, 500)))
                    .with();
    private final Histogram judging =
            registry.histogram(
                            Definition.durations(
                                    "berth_shadow_judging_duration_seconds",
                                    Stability.ALPHA,
                                    "How long it takes to judge a decision.",
                                    Buckets.exponential(0.0001, 2, 15)))
                    .with();
    private final Gauge lag =
            registry.gauge(
                            Definition.gauge(
                                    "berth_shadow_lag_milliseconds",
                                    Stability.ALPHA,
                                    "How far judging is behind what is seen."))
                    .with();

    ShadowMetrics() {
        for (var reason : Omission.values()) {
            leftOut.with(reason.word());
        }
    }

    @Override
    public void judged(Finding finding, long nanos) {
        decisions.with(finding.profile(), finding.result().word()).add(1);
        if (finding.result() != Result.UNDER_WAY && finding.standing().isFeasible()) {
            regret.observe(finding.standing().regret());
        }
        judging.observe(nanos);
    }

    @Override
    public void leftOut(Omission reason) {
        leftOut.with(reason.word()).add(1);
    }

    @Override
    public void lag(long nanos) {
        lag.set(nanos / NANOS_A_MILLI);
    }

    @Override
    public Reply answer(Call call) {
        return call.method().equals("GET")
                ? Reply.of(200, TEXT, registry.text())
                : Reply.error(405, "method not allowed: metrics are read with GET");
    }
}
