package io.berth.app.metrics;

import io.berth.api.handle.OwnMetrics;
import io.berth.api.handle.SchedulerMetrics;
import io.berth.engine.port.AttemptResult;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.ProfileMetrics;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import io.berth.serving.metrics.Counter;
import io.berth.serving.metrics.Family;
import io.berth.serving.metrics.Gauge;
import io.berth.serving.metrics.Histogram;
import io.berth.serving.metrics.Registry;
import io.berth.serving.metrics.Series;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Feeds the scheduler's metrics with what the engine and its queue tell.
///
/// Series are looked up once and kept: by the profile, by the plugin, or here by a label's text.
/// The maps are used by the engine thread alone; everything that other threads call too is found
/// without them.
@SuppressWarnings("EnumOrdinal") // arrays of series by enum: nothing is found faster
public final class SchedulerSeries implements EngineMetrics, QueueMetrics {
    private static final int MOST_ATTEMPTS = 15;

    private final Family<Counter> attempts;
    private final Family<Histogram> attemptDuration;
    private final Histogram algorithm;
    private final Family<Histogram> pointDuration;
    private final Family<Histogram> pluginDuration;
    private final Family<Counter> evaluations;
    private final Histogram podAttempts;
    private final Family<Histogram> slis;
    private final @Nullable Histogram[] sli = new Histogram[MOST_ATTEMPTS];
    private final Counter afterFlush;
    private final ByText<Histogram> messages;
    private final ByText<Histogram> events;
    private final ByText<Histogram> permits;
    private final List<Family<Gauge>> gauges;
    private final Family<Gauge> runningFamily;
    private final Gauge bindings;
    private final Gauge pendingActive;
    private final Gauge pendingBackoff;
    private final Gauge pendingUnschedulable;
    private final Gauge pendingGated;
    private final Gauge cachedNodes;
    private final Gauge cachedPods;
    private final Gauge cachedAssumed;
    private final ByTexts<Counter> incoming;
    private final ByTexts<Gauge> refused;
    private final ByText<Gauge> inFlight;
    private final Family<Histogram> hintFamily;
    private final Map<String, ByTexts<Histogram>> hints = new HashMap<>();
    private final Map<String, ProfileSeries> profiles = new HashMap<>();
    private final Map<String, PluginSeries> preEnqueues = new HashMap<>();
    private final PluginSide pluginSide;
    private final OwnSeries own;

    SchedulerSeries(Registry registry) {
        attempts = registry.counter(SchedulerTable.ATTEMPTS);
        attemptDuration = registry.histogram(SchedulerTable.ATTEMPT_DURATION);
        algorithm = registry.histogram(SchedulerTable.ALGORITHM_DURATION).with();
        pointDuration = registry.histogram(SchedulerTable.POINT_DURATION);
        pluginDuration = registry.histogram(SchedulerTable.PLUGIN_DURATION);
        evaluations = registry.counter(SchedulerTable.EVALUATIONS);
        podAttempts = registry.histogram(SchedulerTable.POD_ATTEMPTS).with();
        slis = registry.histogram(SchedulerTable.SLI_DURATION);
        afterFlush = registry.counter(SchedulerTable.AFTER_FLUSH).with();
        messages = new ByText<>(registry.histogram(SchedulerTable.MESSAGE_DURATION));
        events = new ByText<>(registry.histogram(SchedulerTable.EVENT_DURATION));
        permits = new ByText<>(registry.histogram(SchedulerTable.PERMIT_DURATION));
        runningFamily = registry.gauge(SchedulerTable.RUNNING);
        bindings = runningFamily.with(BINDING);
        var pending = registry.gauge(SchedulerTable.PENDING);
        pendingActive = pending.with("active");
        pendingBackoff = pending.with("backoff");
        pendingUnschedulable = pending.with("unschedulable");
        pendingGated = pending.with("gated");
        var cached = registry.gauge(SchedulerTable.CACHE_SIZE);
        cachedNodes = cached.with("nodes");
        cachedPods = cached.with("pods");
        cachedAssumed = cached.with("assumed_pods");
        incoming = new ByTexts<>(registry.counter(SchedulerTable.INCOMING));
        var unschedulable = registry.gauge(SchedulerTable.UNSCHEDULABLE);
        refused = new ByTexts<>(unschedulable);
        var inFlightEvents = registry.gauge(SchedulerTable.IN_FLIGHT_EVENTS);
        inFlight = new ByText<>(inFlightEvents);
        gauges = List.of(runningFamily, pending, cached, unschedulable, inFlightEvents);
        hintFamily = registry.histogram(SchedulerTable.HINT_DURATION);
        pluginSide = new PluginSide(registry);
        own = new OwnSeries(registry);
        registry.counter(SchedulerTable.VOLUME_CACHE_REQUESTS);
    }

    /// How many pods were placed so far, since the metrics were last reset; attempts that found no
    /// place do not count. From any thread.
    public long placed() {
        return podAttempts.count();
    }

    /// Series by the one label that they have.
    private static final class ByText<S extends Series> {
        private final Family<S> family;
        private final Map<String, S> known = new HashMap<>();

        ByText(Family<S> family) {
            this.family = family;
        }

        S of(String text) {
            var series = known.get(text);
            if (series == null) {
                series = family.with(text);
                known.put(text, series);
            }
            return series;
        }
    }

    /// Series by their two labels; nothing is allocated to find one.
    private static final class ByTexts<S extends Series> {
        private final Family<S> family;
        private final @Nullable String third;
        private final Map<String, Map<String, S>> known = new HashMap<>();

        ByTexts(Family<S> family) {
            this(family, null);
        }

        /// @param third the value of the last of three labels
        ByTexts(Family<S> family, @Nullable String third) {
            this.family = family;
            this.third = third;
        }

        S of(String one, String other) {
            var inner = known.get(one);
            if (inner == null) {
                inner = new HashMap<>();
                known.put(one, inner);
            }
            var series = inner.get(other);
            if (series == null) {
                series = third == null ? family.with(one, other) : family.with(one, other, third);
                inner.put(other, series);
            }
            return series;
        }
    }

    /// The engine that told how things are is gone, and everything of it.
    public void clear() {
        gauges.forEach(family -> family.all().forEach(gauge -> gauge.set(0)));
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public boolean wantsDurations() {
        return true;
    }

    @Override
    public ProfileMetrics profile(String name) {
        var known = profiles.get(name);
        return known != null ? known : profiles.computeIfAbsent(name, ProfileSeries::new);
    }

    @Override
    public SchedulerMetrics ofPlugins() {
        return pluginSide;
    }

    /// One profile's series, in arrays by what they are about. Made when first needed; two threads
    /// that need one at the same time get the same one.
    private final class ProfileSeries implements ProfileMetrics {
        private final String name;
        private final @Nullable Counter[] counts = new Counter[AttemptResult.values().length];
        private final @Nullable Histogram[] durations =
                new Histogram[AttemptResult.values().length];
        private final @Nullable Histogram[][] points =
                new Histogram[TimedPoint.values().length][StatusCode.values().length];

        ProfileSeries(String name) {
            this.name = name;
        }

        @Override
        public void attempt(AttemptResult result, long nanos) {
            int index = result.ordinal();
            var count = counts[index];
            var duration = durations[index];
            if (count == null || duration == null) {
                count = attempts.with(name, result.text());
                duration = attemptDuration.with(name, result.text());
                counts[index] = count;
                durations[index] = duration;
            }
            count.add(1);
            duration.observe(nanos);
        }

        @Override
        public void point(TimedPoint point, StatusCode status, long nanos) {
            var row = points[point.ordinal()];
            var series = row[status.ordinal()];
            if (series == null) {
                series = pointDuration.with(point.text(), name, status.text());
                row[status.ordinal()] = series;
            }
            series.observe(nanos);
        }

        @Override
        public PluginMetrics plugin(String plugin, TimedPoint point) {
            return new PluginSeries(
                    plugin,
                    point,
                    point.countsEvaluations()
                            ? evaluations.with(point.text(), plugin, name)
                            : null);
        }
    }

    private final class PluginSeries implements PluginMetrics {
        private final String plugin;
        private final TimedPoint point;
        private final @Nullable Counter evaluated;
        private final @Nullable Histogram[] durations = new Histogram[StatusCode.values().length];

        PluginSeries(String plugin, TimedPoint point, @Nullable Counter evaluated) {
            this.plugin = plugin;
            this.point = point;
            this.evaluated = evaluated;
        }

        @Override
        public void evaluated(int times) {
            if (evaluated != null) {
                evaluated.add(times);
            }
        }

        @Override
        public void ran(StatusCode status, long nanos) {
            var series = durations[status.ordinal()];
            if (series == null) {
                series = pluginDuration.with(point.text(), plugin, status.text());
                durations[status.ordinal()] = series;
            }
            series.observe(nanos);
        }
    }

    /// What plugins tell, from any thread.
    private static final class PluginSide implements SchedulerMetrics {
        private final Counter preemptions;
        private final Histogram victims;
        private final Family<Histogram> evictionDuration;
        private final Family<Counter> evictions;
        private final Family<Counter> volumeErrors;
        private final Family<Counter> claimsCreated;
        private final Family<Counter> deviceBindings;
        private final Family<Histogram> deviceWaits;

        PluginSide(Registry registry) {
            preemptions = registry.counter(SchedulerTable.PREEMPTIONS).with();
            victims = registry.histogram(SchedulerTable.VICTIMS).with();
            evictionDuration = registry.histogram(SchedulerTable.EVICTION_DURATION);
            evictions = registry.counter(SchedulerTable.EVICTIONS);
            volumeErrors = registry.counter(SchedulerTable.VOLUME_STAGE_ERRORS);
            claimsCreated = registry.counter(SchedulerTable.CLAIMS_CREATED);
            deviceBindings = registry.counter(SchedulerTable.DEVICE_BINDINGS);
            deviceWaits = registry.histogram(SchedulerTable.DEVICE_BINDING_DURATION);
        }

        @Override
        public void claimCreated(boolean succeeded) {
            claimsCreated.with(succeeded ? "success" : "failure").add(1);
        }

        @Override
        public void deviceAwaited(
                String profile, String driver, String status, boolean hasConditions, long millis) {
            deviceWaits.with(driver, profile, status).observe(millis * 1_000_000);
            if (hasConditions) {
                deviceBindings.with(driver, profile, status).add(1);
            }
        }

        @Override
        public void volumeStageFailed(String operation) {
            volumeErrors.with(operation).add(1);
        }

        @Override
        public void preemptionTried() {
            preemptions.add(1);
        }

        @Override
        public void victimsChosen(int count) {
            victims.observe(count);
        }

        @Override
        public void evictionEnded(boolean succeeded, long nanos) {
            String result = succeeded ? "success" : "error";
            evictions.with(result).add(1);
            evictionDuration.with(result).observe(nanos);
        }
    }

    @Override
    public OwnMetrics ownMetrics() {
        return own;
    }

    @Override
    public void algorithm(long nanos) {
        algorithm.observe(nanos);
    }

    @Override
    public void podScheduled(int attemptCount, long sliNanos, boolean wasFlushed) {
        podAttempts.observe(attemptCount);
        int index = Math.clamp(attemptCount, 1, MOST_ATTEMPTS) - 1;
        var series = sli[index];
        if (series == null) {
            series =
                    slis.with(
                            index == MOST_ATTEMPTS - 1
                                    ? MOST_ATTEMPTS + "+"
                                    : Integer.toString(index + 1));
            sli[index] = series;
        }
        series.observe(sliNanos);
        if (wasFlushed) {
            afterFlush.add(1);
        }
    }

    @Override
    public void messageTaken(String message, long nanos) {
        messages.of(message).observe(nanos);
    }

    @Override
    public void eventHandled(String event, long nanos) {
        events.of(event).observe(nanos);
    }

    @Override
    public void permitWaited(StatusCode result, long nanos) {
        permits.of(result.text()).observe(nanos);
    }

    @Override
    public void running(String operation, int delta) {
        (operation.equals(BINDING) ? bindings : runningFamily.with(operation)).add(delta);
    }

    @Override
    public void pending(int active, int backoff, int unschedulable, int gated) {
        pendingActive.set(active);
        pendingBackoff.set(backoff);
        pendingUnschedulable.set(unschedulable);
        pendingGated.set(gated);
    }

    @Override
    public void cached(int nodes, int pods, int assumedPods) {
        cachedNodes.set(nodes);
        cachedPods.set(pods);
        cachedAssumed.set(assumedPods);
    }

    @Override
    public void incoming(String queue, String event) {
        incoming.of(event, queue).add(1);
    }

    @Override
    public void refused(String plugin, String profile, int delta) {
        refused.of(plugin, profile).add(delta);
    }

    @Override
    public void inFlightEvents(String event, int delta) {
        inFlight.of(event).add(delta);
    }

    @Override
    public void hint(String plugin, String event, String result, long nanos) {
        var ofPlugin = hints.get(plugin);
        if (ofPlugin == null) {
            ofPlugin = new ByTexts<>(hintFamily, plugin);
            hints.put(plugin, ofPlugin);
        }
        ofPlugin.of(event, result).observe(nanos);
    }

    @Override
    public void preEnqueuePlugin(String plugin, StatusCode status, long nanos) {
        var series = preEnqueues.get(plugin);
        if (series == null) {
            series = new PluginSeries(plugin, TimedPoint.PRE_ENQUEUE, null);
            preEnqueues.put(plugin, series);
        }
        series.ran(status, nanos);
    }

    @Override
    public void preEnqueue(String profile, StatusCode status, long nanos) {
        profile(profile).point(TimedPoint.PRE_ENQUEUE, status, nanos);
    }
}
