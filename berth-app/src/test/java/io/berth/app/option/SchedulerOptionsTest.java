package io.berth.app.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.app.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerOptionsTest {
    @Test
    @Tag("P-40")
    void withoutFlagsEverythingHasItsDefault() {
        SchedulerOptions options = Options.of();
        assertThat(options.check()).isEmpty();
        assertThat(options.warnings()).isEmpty();
        assertThat(options.serving().port()).isEqualTo(10259);
        assertThat(options.maxTimeParked()).isEqualTo(Duration.ofMinutes(5));
        assertThat(options.election().leaderElect()).isEmpty();
        assertThat(options.deprecated().kubeconfig()).isEmpty();
        assertThat(options.legacy().insecure()).isEmpty();
        assertThat(options.metrics()).isEqualTo(MetricsOptions.DEFAULT);
    }

    @Test
    @Tag("P-49")
    void allProblemsAreTold() {
        assertThat(
                        Options.of(
                                        "--secure-port=70000",
                                        "--disabled-metrics=a-b",
                                        "--requestheader-group-headers=,")
                                .check())
                .containsExactly(
                        "--secure-port 70000 must be between 1 and 65535, inclusive. It cannot be"
                                + " turned off with 0",
                        "empty value in \"requestheader-group-headers\"",
                        "metrics.disabledMetrics: Invalid value: [\"a-b\"]: must be fully qualified"
                                + " metric names matching \"^[a-zA-Z_:][a-zA-Z0-9_:]*$\", got"
                                + " \"a-b\"");
    }

    @Test
    @Tag("P-49")
    void oneProblemStandsAloneSeveralInBrackets() {
        assertThat(Aggregate.text(List.of("a"))).isEqualTo("a");
        assertThat(Aggregate.text(List.of("a", "b", "a"))).isEqualTo("[a, b]");
    }

    @Test
    @Tag("P-9")
    void firstUseOfAListReplacesItsDefault() {
        assertThat(
                        Options.of(
                                        "--authorization-always-allow-paths=/a",
                                        "--authorization-always-allow-paths=/b")
                                .authorization()
                                .alwaysAllowPaths())
                .containsExactly("/a", "/b");
        assertThat(
                        Options.of("--requestheader-username-headers=")
                                .authentication()
                                .requestHeader()
                                .usernameHeaders())
                .isEmpty();
    }

    @Test
    @Tag("P-51")
    void unusualHeadersAreWorthAWarning() {
        assertThat(Options.of("--requestheader-username-headers=foo").warnings())
                .containsExactly(
                        "--requestheader-username-headers is set without specifying the standard"
                                + " X-Remote-User header - API aggregation will not work");
    }

    @Test
    @Tag("P-26")
    void alphaFeaturesOfAnEmulatedReleaseAreWorthAWarning() {
        assertThat(
                        Options.of(
                                        "--emulated-version=1.34",
                                        "--feature-gates=LoggingAlphaOptions=true")
                                .warnings())
                .containsExactly(
                        "component has alpha features enabled in emulated version, this is"
                                + " unsupported: features=[LoggingAlphaOptions]");
    }

    @Test
    @Tag("P-14")
    void anotherVersionMayBeReported() {
        assertThat(Options.of("--version=v1.36.4-berth+7").reportedVersion())
                .contains("v1.36.4-berth+7");
    }

    @Nested
    class MetricLabels {
        @TempDir Path folder;

        @Test
        @Tag("P-295")
        void comeFromTheFlagOrAFile() throws Exception {
            Path file = folder.resolve("labels");
            Files.writeString(file, "metric1,label1: v1,v2\n\"metric2,label2\": \"\"\n");
            MetricsOptions options = Options.of("--allow-metric-labels-manifest=" + file).metrics();
            assertThat(options.check()).isEmpty();
            assertThat(options.labelValues())
                    .isEqualTo(Map.of("metric1,label1", "v1,v2", "metric2,label2", ""));
            assertThat(Options.of("--allow-metric-labels=m,l=a,b").metrics().labelValues())
                    .isEqualTo(Map.of("m,l", "a,b"));
        }

        @Test
        @Tag("P-51")
        void brokenFileIsToldWithItsPath() throws Exception {
            Path file = folder.resolve("labels");
            Files.writeString(file, "[");
            assertThat(Options.of("--allow-metric-labels-manifest=" + file).check())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "metrics.allowListMappingManifest: Invalid value: \""
                                    + file
                                    + "\": failed to parse allow list manifest: ");
            Files.writeString(file, "a: b");
            assertThat(Options.of("--allow-metric-labels-manifest=" + file).check())
                    .singleElement()
                    .asString()
                    .contains("invalid allow list mapping in manifest: [");
        }

        @Test
        @Tag("P-51")
        void flagAndFileContradictEachOther() throws Exception {
            Path file = folder.resolve("labels");
            Files.writeString(file, "{}");
            assertThat(
                            Options.of(
                                            "--allow-metric-labels=a,b=c",
                                            "--allow-metric-labels-manifest=" + file)
                                    .check())
                    .containsExactly(
                            "metrics: Invalid value: {\"allowListMapping\":{\"a,b\":\"c\"},\"allowListMappingManifest\":\""
                                    + file
                                    + "\"}: cannot specify both allowListMapping and"
                                    + " allowListMappingManifest");
        }
    }

    @Nested
    class FlagsOfOlderReleases {
        @Test
        @Tag("P-17")
        void plainHttpIsServedOnlyOnRequest() {
            assertThat(Options.of("--port=10251").legacy().insecure())
                    .contains(new LegacyFlags.Insecure("0.0.0.0", 10251));
            assertThat(Options.of("--address=127.0.0.1").legacy().insecure())
                    .contains(new LegacyFlags.Insecure("127.0.0.1", 10251));
            assertThat(Options.of("--port=0").legacy().insecure()).isEmpty();
            assertThat(Options.of("--address=::1", "--port=0").legacy().insecure()).isEmpty();
        }

        /// A port without any question who asks must not open where the help says that it stays
        /// shut.
        @Test
        @Tag("P-17")
        void someGiveWayToAConfigurationFile() {
            var options =
                    Options.of("--config=/c", "--port=10251", "--address=::", "--scheduler-name=x");
            assertThat(options.legacy().insecure()).isEmpty();
            assertThat(options.warnings())
                    .containsExactly(
                            "Flag --address has been deprecated, kube-scheduler no longer has it;"
                                    + " it is ignored where --config is given",
                            "Flag --port has been deprecated, kube-scheduler no longer has it; it"
                                    + " is ignored where --config is given",
                            "Flag --scheduler-name has been deprecated, kube-scheduler no longer"
                                    + " has it; it is ignored where --config is given");
        }

        @Test
        @Tag("P-17")
        void lockObjectIsAnOlderNameForTheElectionsResource() {
            ElectionFlags older =
                    Options.of("--lock-object-name=a", "--lock-object-namespace=b").election();
            assertThat(older.resourceName()).contains("a");
            assertThat(older.resourceNamespace()).contains("b");
            assertThat(
                            Options.of("--lock-object-name=a", "--leader-elect-resource-name=c")
                                    .election()
                                    .resourceName())
                    .contains("c");
        }

        @Test
        @Tag("P-19")
        void fileGoesBeforeConfigMapOnlyOnRequest() {
            LegacyFlags.Policy both =
                    Options.of("--policy-config-file=/f", "--policy-configmap=m").legacy().policy();
            assertThat(both.effectiveFile()).isEmpty();
            assertThat(both.effectiveConfigMap()).contains("m");
            LegacyFlags.Policy file =
                    Options.of(
                                    "--policy-config-file=/f",
                                    "--policy-configmap=m",
                                    "--use-legacy-policy-config")
                            .legacy()
                            .policy();
            assertThat(file.effectiveFile()).isEqualTo(Optional.of(Path.of("/f")));
            assertThat(file.effectiveConfigMap()).isEmpty();
            assertThat(file.configMapNamespace()).isEqualTo("kube-system");
        }

        @Test
        @Tag("P-18")
        void wrongValuesAreToldInTheWordsOfTheirTime() {
            assertThat(
                            Options.of(
                                            "--use-legacy-policy-config",
                                            "--port=70000",
                                            "--address=x",
                                            "--hard-pod-affinity-symmetric-weight=101")
                                    .check())
                    .containsExactly(
                            "policyConfigFile: Required value: required when"
                                    + " --use-legacy-policy-config is true",
                            "--port 70000 must be between 0 and 65535, inclusive. 0 for turning off"
                                    + " insecure (HTTP) port",
                            "--address x is an invalid IP address",
                            "hardPodAffinitySymmetricWeight: Invalid value: 101: not in valid range"
                                    + " [0-100]");
        }

        @Test
        @Tag("P-17")
        void eachIsToldToBeGone() {
            assertThat(
                            Options.of("--port=0", "--scheduler-name=x", "--lock-object-name=y")
                                    .warnings())
                    .containsExactly(
                            "Flag --port has been deprecated, kube-scheduler no longer has it;"
                                    + " health and metrics are served by HTTPS: see --bind-address"
                                    + " and --secure-port",
                            "Flag --scheduler-name has been deprecated, kube-scheduler no longer"
                                    + " has it; use the configuration file of --config instead",
                            "Flag --lock-object-name has been deprecated, kube-scheduler no longer"
                                    + " has it; use --leader-elect-resource-name instead");
        }
    }
}
