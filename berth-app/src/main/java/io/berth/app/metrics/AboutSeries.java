package io.berth.app.metrics;

import static io.berth.serving.metrics.Stability.ALPHA;
import static io.berth.serving.metrics.Stability.BETA;

import io.berth.serving.metrics.Definition;
import io.berth.serving.metrics.Family;
import io.berth.serving.metrics.Gauge;
import io.berth.serving.metrics.Registry;
import java.util.Collection;

/// What this program is and what is switched on in it (section 10.5 of the process contract).
public final class AboutSeries {
    private final Family<Gauge> build;
    private final Family<Gauge> features;
    private final Family<Gauge> versions;

    /// A feature gate.
    ///
    /// @param stage `ALPHA`, `BETA`, `DEPRECATED`, or empty once it is settled
    public record Feature(String name, String stage, boolean isEnabled) {}

    /// Which build this is.
    ///
    /// @param version with a leading v; the release whose behaviour we have, since alerts compare
    ///   it over the control plane
    public record Build(
            String version, String commit, String treeState, String date, String javaVersion) {}

    AboutSeries(Registry registry) {
        build =
                registry.gauge(
                        Definition.gauge(
                                "kubernetes_build_info",
                                BETA,
                                "Always 1; the labels say which build this is, go_version which"
                                        + " Java it runs on.",
                                "build_date",
                                "compiler",
                                "git_commit",
                                "git_tree_state",
                                "git_version",
                                "go_version",
                                "major",
                                "minor",
                                "platform"));
        features =
                registry.gauge(
                        Definition.gauge(
                                "kubernetes_feature_enabled",
                                BETA,
                                "Whether a feature gate is on, with its stage.",
                                "name",
                                "stage"));
        versions =
                registry.gauge(
                        Definition.gauge(
                                "version_info",
                                ALPHA,
                                "Always 1; the labels say which versions this program is, emulates"
                                        + " and gets along with.",
                                "binary",
                                "component",
                                "emulation",
                                "min_compat"));
    }

    public void built(Build facts) {
        var parts = facts.version.substring(1).split("\\.", -1);
        build.with(
                        facts.date,
                        "javac",
                        facts.commit,
                        facts.treeState,
                        facts.version,
                        "java" + facts.javaVersion,
                        parts[0],
                        parts[1],
                        platform())
                .set(1);
    }

    private static String platform() {
        String os = System.getProperty("os.name", "unknown").toLowerCase(java.util.Locale.ROOT);
        String arch = System.getProperty("os.arch", "unknown");
        return (os.startsWith("mac") ? "darwin" : os.replaceAll(" .*", ""))
                + "/"
                + (arch.equals("aarch64") ? "arm64" : arch.equals("x86_64") ? "amd64" : arch);
    }

    public void switched(Collection<Feature> gates) {
        gates.forEach(gate -> features.with(gate.name, gate.stage).set(gate.isEnabled ? 1 : 0));
    }

    /// @param binary such as `1.36.4`
    /// @param emulation such as `1.36`
    /// @param minCompat such as `1.35`
    public void versions(String binary, String emulation, String minCompat) {
        versions.with(binary, "kube", emulation, minCompat).set(1);
    }
}
