package io.berth.app;

import io.berth.app.metrics.AboutSeries;
import io.berth.app.metrics.ProcessMetrics;
import io.berth.config.gate.FeatureGates;
import io.berth.serving.metrics.MetricsSettings;

/// The metrics of a process, with what they tell about the program itself filled in.
final class AboutProcess {
    private static final String UNKNOWN = "unknown";

    private AboutProcess() {}

    static ProcessMetrics metrics(Setup setup) {
        var options = setup.options().metrics();
        var metrics =
                new ProcessMetrics(MetricsSettings.of(options.disabled(), options.labelValues()));
        var about = metrics.about();
        about.built(
                new AboutSeries.Build(
                        Version.KUBERNETES,
                        UNKNOWN,
                        "archive",
                        UNKNOWN,
                        Runtime.version().toString()));
        FeatureGates gates = setup.options().gates();
        about.switched(
                gates.all().entrySet().stream()
                        .map(gate ->
                                new AboutSeries.Feature(
                                        gate.getKey(),
                                        gates.stage(gate.getKey()).word(),
                                        gate.getValue()))
                        .toList());
        about.versions(
                Version.KUBERNETES.substring(1),
                gates.versions().emulation().toString(),
                gates.versions().minCompatibility().toString());
        return metrics;
    }
}
