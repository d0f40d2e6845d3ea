package io.berth.serving.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.serving.http.Calls;
import io.berth.serving.http.Mux;
import io.berth.serving.http.NotedServerLog;
import io.berth.serving.http.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class HealthPagesTest {
    private final NotedServerLog log = new NotedServerLog(2);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicBoolean synced = new AtomicBoolean(true);
    private final List<String> observed = new ArrayList<>();
    private final List<HealthCheck> readiness =
            new ArrayList<>(List.of(HealthCheck.handlersSynced(synced::get)));
    private final AtomicReference<Optional<String>> stall = new AtomicReference<>(Optional.empty());
    private final HealthCheck engine = HealthCheck.of("engine", stall::get);
    private final HealthCheck election = HealthCheck.of("leaderElection", Optional::empty);

    private Mux pages(Optional<HealthCheck> leaderElection) {
        return SchedulerPages.secure(
                SchedulerPages.Health.of(
                        leaderElection,
                        stopping::get,
                        List.of(engine),
                        readiness,
                        (check, endpoint, passed) ->
                                observed.add(endpoint + "/" + check + "=" + passed)),
                SchedulerPages.Metrics.NONE,
                new SchedulerPages.Debug(false, false, _ -> {}),
                new SchedulerPages.About(() -> "{}", Optional.empty(), Optional.empty(), false),
                log);
    }

    private Reply get(String target) {
        return pages(Optional.of(election)).answer(Calls.get(target));
    }

    @Test
    @Tag("P-185")
    void healthyEndpointSaysOk() {
        Reply reply = get("/healthz");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).isEqualTo("ok");
        assertThat(reply.headers())
                .containsEntry("Content-Type", "text/plain; charset=utf-8")
                .containsEntry("X-Content-Type-Options", "nosniff");
    }

    @Test
    @Tag("P-185")
    void verboseListsTheChecksInOrder() {
        assertThat(get("/healthz?verbose").text())
                .isEqualTo("[+]leaderElection ok\n[+]engine ok\nhealthz check passed\n");
        assertThat(get("/livez?verbose=false").text())
                .isEqualTo("[+]ping ok\n[+]engine ok\nlivez check passed\n");
        assertThat(get("/readyz?verbose").text())
                .isEqualTo(
                        """
                        [+]leaderElection ok
                        [+]shutdown ok
                        [+]sched-handler-sync ok
                        readyz check passed
                        """);
    }

    @Test
    @Tag("P-185")
    void withoutElectionHealthIsAPing() {
        Mux pages = pages(Optional.empty());
        assertThat(pages.answer(Calls.get("/healthz?verbose")).text())
                .isEqualTo("[+]ping ok\n[+]engine ok\nhealthz check passed\n");
        assertThat(pages.answer(Calls.get("/readyz?verbose")).text())
                .isEqualTo("[+]shutdown ok\n[+]sched-handler-sync ok\nreadyz check passed\n");
    }

    @Test
    @Tag("P-186")
    void failureNamesTheCheckAndKeepsTheReasonForTheLog() {
        stopping.set(true);
        Reply reply = get("/readyz");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.text())
                .isEqualTo(
                        """
                        [+]leaderElection ok
                        [-]shutdown failed: reason withheld
                        [+]sched-handler-sync ok
                        readyz check failed
                        """);
        assertThat(log.lines())
                .containsExactly(
                        """
                        I2 shutdown check failed: readyz
                        [-]shutdown failed: process is shutting down
                        """);
    }

    @Test
    @Tag("P-187")
    void excludedChecksAreNotRun() {
        stopping.set(true);
        assertThat(get("/readyz?exclude=shutdown&verbose").text())
                .isEqualTo(
                        """
                        [+]leaderElection ok
                        [+]shutdown excluded: ok
                        [+]sched-handler-sync ok
                        readyz check passed
                        """);
        assertThat(observed).noneMatch(line -> line.contains("shutdown"));
        assertThat(get("/livez?verbose&exclude=x&exclude=a").text())
                .isEqualTo(
                        "[+]ping ok\n[+]engine ok\nwarn: some health checks cannot be excluded: no matches for"
                                + " \"a\",\"x\"\nlivez check passed\n");
    }

    /// A restart mends an engine that hangs, and lets a standby take over meanwhile.
    @Test
    void hungEngineIsNotAlive() {
        stall.set(Optional.of("the engine has not finished a step for 60 seconds"));
        assertThat(get("/livez").status()).isEqualTo(500);
        assertThat(get("/healthz").status()).isEqualTo(500);
        assertThat(get("/livez/engine").text())
                .isEqualTo(
                        "internal server error: the engine has not finished a step for 60"
                                + " seconds\n");
        assertThat(get("/readyz").status()).isEqualTo(200);
    }

    @Test
    @Tag("P-188")
    @Tag("P-189")
    void singleCheckTellsItsReason() {
        synced.set(false);
        Reply failed = get("/readyz/sched-handler-sync");
        assertThat(failed.status()).isEqualTo(500);
        assertThat(failed.text())
                .isEqualTo("internal server error: handlers are not fully synchronized\n");
        assertThat(get("/healthz/leaderElection").text()).isEqualTo("ok");
        assertThat(get("/healthz/ping").status()).isEqualTo(404);
        assertThat(get("/healthz/").status()).isEqualTo(404);
        stopping.set(true);
        assertThat(get("/readyz/shutdown").text())
                .isEqualTo("internal server error: process is shutting down\n");
    }

    @Test
    @Tag("P-189")
    @Tag("P-240")
    void candidateThatIsNotListedYetIsNotReady() {
        readiness.add(HealthCheck.candidateSynced(synced::get));
        assertThat(get("/readyz/informer-sync").text()).isEqualTo("ok");
        synced.set(false);
        assertThat(get("/readyz/informer-sync").text())
                .isEqualTo(
                        "internal server error: 1 informers not started yet:"
                                + " [*v1beta1.LeaseCandidate]\n");
    }

    /// A kubelet restarts what is not alive, which would mend nothing.
    @Test
    void whatReadinessDependsOnDoesNotConcernLife() {
        readiness.add(HealthCheck.of("api-server", () -> Optional.of("away")));
        assertThat(get("/readyz").status()).isEqualTo(500);
        assertThat(get("/readyz?exclude=api-server").status()).isEqualTo(200);
        assertThat(get("/livez").status()).isEqualTo(200);
        assertThat(get("/healthz").status()).isEqualTo(200);
    }

    @Test
    @Tag("P-190")
    void everyRunIsObserved() {
        synced.set(false);
        get("/readyz");
        get("/livez");
        assertThat(observed)
                .containsExactly(
                        "readyz/leaderElection=true",
                        "readyz/shutdown=true",
                        "readyz/sched-handler-sync=false",
                        "livez/ping=true",
                        "livez/engine=true");
    }

    @Test
    @Tag("P-186")
    void checkThatBreaksFails() {
        var mux = new Mux();
        HealthCheck broken =
                HealthCheck.of(
                        "broken",
                        () -> {
                            throw new IllegalStateException("no clock");
                        });
        HealthPages.install(mux, "livez", List.of(broken), HealthObserver.NONE, log);
        assertThat(mux.answer(Calls.get("/livez")).status()).isEqualTo(500);
        assertThat(mux.answer(Calls.get("/livez/broken")).text())
                .isEqualTo("internal server error: no clock\n");
    }
}
