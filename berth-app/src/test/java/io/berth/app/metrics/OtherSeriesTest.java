package io.berth.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.kube.connection.ClientMetrics.ExecOutcome;
import io.berth.serving.auth.AuthObserver.Outcome;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.PrometheusText;
import io.berth.serving.metrics.Registry;
import io.berth.serving.metrics.ServingSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The metrics around the scheduler: callers, health, election, build.
class OtherSeriesTest {
    private final ProcessMetrics metrics = new ProcessMetrics(MetricsSettings.DEFAULT);

    private static Map<String, Double> samples(Registry registry, String name) {
        return PrometheusText.read(registry.text()).family(name).samples;
    }

    @Test
    @Tag("P-290")
    void authenticationAndAuthorizationAreCountedByResult() {
        metrics.serving().authenticated(Outcome.FAILURE, Duration.ofMillis(3));
        metrics.serving().authorized(Outcome.NO_OPINION, Duration.ofMillis(3));
        assertThat(samples(metrics.process(), "authentication_attempts"))
                .containsOnly(Map.entry("{result=failure}", 1.0));
        assertThat(samples(metrics.process(), "authorization_attempts_total"))
                .containsOnly(Map.entry("{result=no-opinion}", 1.0));
        assertThat(samples(metrics.process(), "authorization_duration_seconds"))
                .containsEntry("_sum{result=no-opinion}", 0.003);
    }

    @ParameterizedTest
    @CsvSource({
        "admin, admin",
        "system:serviceaccount:kube-system:default, system:serviceaccount:kube-system:default",
        "jo@example.com, email_id",
        "system:serviceaccount:monitoring:prometheus, other"
    })
    @Tag("P-290")
    void fewNamesOfCallersAreToldApart(String name, String told) {
        assertThat(ServingSeries.told(name)).isEqualTo(told);
    }

    @Test
    @Tag("P-291")
    void questionsToTheApiServerAreCountedByStatus() {
        metrics.serving().tokenReviewed("201", Duration.ofMillis(600));
        metrics.serving().accessReviewed("<error>", Duration.ofSeconds(1));
        metrics.serving().tokenLookedUp(true, Duration.ZERO);
        metrics.serving().certificateShown(Duration.ofHours(1));
        assertThat(samples(metrics.process(), "apiserver_delegated_authn_request_total"))
                .containsOnly(Map.entry("{code=201}", 1.0));
        assertThat(samples(metrics.process(), "apiserver_delegated_authz_request_total"))
                .containsOnly(Map.entry("{code=<error>}", 1.0));
        assertThat(samples(metrics.process(), "authentication_token_cache_request_total"))
                .containsOnly(Map.entry("{status=hit}", 1.0));
        assertThat(samples(metrics.process(), "apiserver_client_certificate_expiration_seconds"))
                .containsEntry("_sum{}", 3600.0);
    }

    @Test
    @Tag("P-193")
    void healthChecksHaveAPageOfTheirOwn() {
        metrics.health().checked("leaderElection", "healthz", true);
        metrics.health().checked("leaderElection", "healthz", false);
        assertThat(samples(metrics.slis(), "kubernetes_healthcheck"))
                .containsOnly(Map.entry("{name=leaderElection, type=healthz}", 0.0));
        assertThat(samples(metrics.slis(), "kubernetes_healthchecks_total"))
                .containsOnly(
                        Map.entry("{name=leaderElection, status=error, type=healthz}", 1.0),
                        Map.entry("{name=leaderElection, status=success, type=healthz}", 1.0));
        assertThat(samples(metrics.slis(), "process_start_time_seconds").get("{}")).isPositive();
    }

    @Test
    @Tag("P-237")
    void electionTellsWhoLeads() {
        metrics.election().leads("kube-scheduler", false);
        assertThat(samples(metrics.process(), "leader_election_master_status"))
                .containsOnly(Map.entry("{name=kube-scheduler}", 0.0));
        metrics.election().leads("kube-scheduler", true);
        metrics.election().slowPath("kube-scheduler");
        assertThat(samples(metrics.process(), "leader_election_master_status"))
                .containsOnly(Map.entry("{name=kube-scheduler}", 1.0));
        assertThat(samples(metrics.process(), "leader_election_slowpath_total"))
                .containsOnly(Map.entry("{name=kube-scheduler}", 1.0));
    }

    @Test
    void buildAndFeaturesAreTold() {
        metrics.about().built(new AboutSeries.Build("v1.36.4", "abc", "clean", "today", "25"));
        metrics.about()
                .switched(
                        List.of(
                                new AboutSeries.Feature("Old", "", true),
                                new AboutSeries.Feature("New", "ALPHA", false)));
        metrics.about().versions("1.36.4", "1.36", "1.35");
        assertThat(samples(metrics.process(), "kubernetes_build_info").keySet())
                .singleElement()
                .asString()
                .contains("git_version=v1.36.4", "major=1", "minor=36", "go_version=java25");
        assertThat(samples(metrics.process(), "kubernetes_feature_enabled"))
                .containsOnly(
                        Map.entry("{name=Old, stage=}", 1.0),
                        Map.entry("{name=New, stage=ALPHA}", 0.0));
        assertThat(samples(metrics.process(), "version_info"))
                .containsOnly(
                        Map.entry(
                                "{binary=1.36.4, component=kube, emulation=1.36, min_compat=1.35}",
                                1.0));
    }

    @Test
    void credentialProgramsAreCounted() {
        metrics.client().execRan(0, ExecOutcome.NO_ERROR);
        metrics.client().execRan(1, ExecOutcome.NOT_FOUND);
        metrics.client().execCertificate(Instant.now().plusSeconds(3600), Duration.ofMinutes(30));
        assertThat(samples(metrics.process(), "rest_client_exec_plugin_call_total"))
                .containsOnly(
                        Map.entry("{call_status=no_error, code=0}", 1.0),
                        Map.entry("{call_status=plugin_not_found_error, code=1}", 1.0));
        assertThat(samples(metrics.process(), "rest_client_exec_plugin_ttl_seconds").get("{}"))
                .isBetween(3500.0, 3600.0);
        assertThat(samples(metrics.process(), "rest_client_exec_plugin_certificate_rotation_age"))
                .containsEntry("_sum{}", 1800.0);
    }
}
