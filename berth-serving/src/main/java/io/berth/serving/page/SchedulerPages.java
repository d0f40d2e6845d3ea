package io.berth.serving.page;

import io.berth.serving.http.Mux;
import io.berth.serving.http.Reply;
import io.berth.serving.tls.ServerLog;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// All pages of the scheduler.
public final class SchedulerPages {
    private SchedulerPages() {}

    /// What health is made of; no checks at all means `ping`.
    public record Health(
            List<HealthCheck> healthz,
            List<HealthCheck> livez,
            List<HealthCheck> readyz,
            HealthObserver observer) {
        public Health {
            healthz = List.copyOf(healthz);
            livez = List.copyOf(livez);
            readyz = List.copyOf(readyz);
        }

        /// The usual checks.
        ///
        /// @param leaderElection the watchdog of the election, where there is one
        /// @param liveness what a restart would mend
        /// @param readiness what else `/readyz` depends on. Nothing of it touches `/livez`: a
        ///   restart would mend none of it
        public static Health of(
                Optional<HealthCheck> leaderElection,
                BooleanSupplier stopping,
                List<HealthCheck> liveness,
                List<HealthCheck> readiness,
                HealthObserver observer) {
            var healthz = new ArrayList<HealthCheck>();
            healthz.add(leaderElection.orElse(HealthCheck.PING));
            healthz.addAll(liveness);
            var livez = new ArrayList<HealthCheck>();
            livez.add(HealthCheck.PING);
            livez.addAll(liveness);
            var readyz = new ArrayList<HealthCheck>();
            leaderElection.ifPresent(readyz::add);
            readyz.add(HealthCheck.shutdown(stopping));
            readyz.addAll(readiness);
            return new Health(healthz, livez, readyz, observer);
        }
    }

    /// What the metrics pages show.
    ///
    /// @param leading whether this process has become the leader; opens `/metrics/resources`
    public record Metrics(Scrape process, Scrape resources, Scrape slis, BooleanSupplier leading) {
        public static final Metrics NONE =
                new Metrics(Scrape.NONE, Scrape.NONE, Scrape.NONE, () -> true);
    }

    /// What the debug pages do.
    ///
    /// @param verbosity changes the verbosity of the log
    public record Debug(
            boolean profiling, boolean contentionProfiling, DebugFlags.Verbosity verbosity) {}

    /// What the pages about the process itself show.
    ///
    /// @param configuration the body of `/configz`
    /// @param flags every flag with its value; empty if the gate `ComponentFlagz` is off
    /// @param facts empty if the gate `ComponentStatusz` is off
    /// @param cbor whether the last two can be had as CBOR: the gate `CBORServingAndStorage`
    public record About(
            Supplier<String> configuration,
            Optional<Map<String, String>> flags,
            Optional<ProcessFacts> facts,
            boolean cbor) {}

    public static Mux secure(
            Health health, Metrics metrics, Debug debug, About about, ServerLog log) {
        var mux = new Mux();
        health(mux, health, log);
        metrics(mux, metrics, about);
        mux.page("/metrics/slis", new MetricsPage(metrics.slis));
        debug(mux, debug);
        about.flags.ifPresent(flags -> mux.page("/flagz", FlagzPage.of(flags, about.cbor)));
        about.facts.ifPresent(facts ->
                mux.page(
                        "/statusz",
                        StatuszPage.of(
                                facts, mux.listedFolders(), InstantSource.system(), about.cbor)));
        return mux;
    }

    /// The pages of the plain port of 1.20 to 1.22 for health, without metrics if those have a port
    /// of their own.
    public static Mux insecureHealth(
            Health health, Optional<Metrics> metrics, Debug debug, About about, ServerLog log) {
        var mux = new Mux();
        HealthPages.install(mux, "healthz", health.healthz, health.observer, log);
        metrics.ifPresent(shown -> {
            metrics(mux, shown, about);
            debug(mux, debug);
        });
        return mux;
    }

    /// The pages of the plain port of 1.20 to 1.22 for metrics.
    public static Mux insecureMetrics(Metrics metrics, Debug debug, About about) {
        var mux = new Mux();
        metrics(mux, metrics, about);
        debug(mux, debug);
        return mux;
    }

    private static void health(Mux mux, Health health, ServerLog log) {
        HealthPages.install(mux, "healthz", health.healthz, health.observer, log);
        HealthPages.install(mux, "livez", health.livez, health.observer, log);
        HealthPages.install(mux, "readyz", health.readyz, health.observer, log);
    }

    private static void metrics(Mux mux, Metrics metrics, About about) {
        mux.page("/configz", _ -> configuration(about));
        mux.page("/metrics", new MetricsPage(metrics.process));
        mux.page(
                "/metrics/resources", new MetricsPage(metrics.resources).onlyWhen(metrics.leading));
    }

    private static Reply configuration(About about) {
        try {
            return Reply.of(200, "application/json", about.configuration.get()).noSniffing();
        } catch (RuntimeException unwritable) {
            return Reply.error(500, "error: " + unwritable.getMessage());
        }
    }

    private static void debug(Mux mux, Debug debug) {
        if (!debug.profiling) {
            return;
        }
        Profiling.install(mux);
        if (debug.contentionProfiling) {
            JvmProfiles.measureContention();
        }
        DebugFlags.install(mux, debug.verbosity);
    }
}
