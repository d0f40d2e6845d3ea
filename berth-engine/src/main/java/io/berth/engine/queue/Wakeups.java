package io.berth.engine.queue;

import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Log;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.TimeSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Judges whether an event is worth another attempt of a waiting pod, by the hint functions of the
/// plugins that refused it.
final class Wakeups {
    /// What to do with the pod.
    enum Strategy {
        SKIP,
        AFTER_BACKOFF,
        IMMEDIATELY
    }

    /// A broken hint function fails for every pod at every event. One line for each pair of plugin
    /// and event tells enough, and these are few.
    private static final int MAX_REPORTED = 200;

    /// An event may concern ten thousand parked pods. Timing their hint functions would take as
    /// long as running them, and the first few tell enough.
    private static final int MOST_TIMED = 16;

    private final Map<String, QueueProfile> profiles;
    private final TimeSource time;
    private final Log log;
    private final QueueMetrics metrics;
    private final Set<String> reported = new HashSet<>();
    private int timedCount;

    Wakeups(Map<String, QueueProfile> profiles, TimeSource time, Log log, QueueMetrics metrics) {
        this.profiles = profiles;
        this.time = time;
        this.log = log;
        this.metrics = metrics;
    }

    /// Something new happened: its first hint functions are timed again.
    void beginRound() {
        timedCount = 0;
    }

    /// Whether the event can wake any pod at all.
    boolean isOfInterest(ClusterEvent event) {
        if (event.isWildcard()) {
            return true;
        }
        for (var profile : profiles.values()) {
            if (!profile.hints().hearing(event).isEmpty()) {
                return true;
            }
        }
        if (log.isOn(6)) {
            log.info(
                    6,
                    "receive an event that isn't interested by any enabled plugins",
                    "event",
                    event.label());
        }
        return false;
    }

    /// Whether the event can wake a pod that the same plugins refused as `example`: the quick look
    /// that spares the hint functions.
    boolean concerns(QueuedPodInfo example, ClusterEvent event) {
        if (event.isWildcard()) {
            return true;
        }
        if (example.isGated() && !hearsGate(example, event)) {
            return false;
        }
        var profile = profiles.get(example.profile());
        if (profile == null || !example.hasRejectors()) {
            return true;
        }
        for (var entry : profile.hints().hearing(event)) {
            if (example.isRejectedBy(entry.plugin())) {
                return true;
            }
        }
        return false;
    }

    private static boolean hearsGate(QueuedPodInfo gated, ClusterEvent event) {
        for (var registered : gated.gatingEvents()) {
            if (registered.matches(event)) {
                return true;
            }
        }
        return false;
    }

    Strategy judge(
            QueuedPodInfo info,
            ClusterEvent event,
            @Nullable ClusterObject before,
            @Nullable ClusterObject after) {
        if (!info.hasRejectors()) {
            return Strategy.AFTER_BACKOFF;
        }
        if (event.isWildcard()) {
            return isFor(info, after) ? Strategy.AFTER_BACKOFF : Strategy.SKIP;
        }
        var profile = profiles.get(info.profile());
        if (profile == null) {
            log.error(
                    null,
                    "No QueueingHintMap is registered for this profile",
                    "profile",
                    info.profile(),
                    "pod",
                    info.key());
            return Strategy.AFTER_BACKOFF;
        }
        var strategy = Strategy.SKIP;
        for (var entry : profile.hints().hearing(event)) {
            if (!info.isRejectedBy(entry.plugin())
                    || ask(entry, info, event, before, after) == Hint.SKIP) {
                continue;
            }
            if (info.isPendingFor(entry.plugin())) {
                return Strategy.IMMEDIATELY;
            }
            strategy = Strategy.AFTER_BACKOFF;
            if (!info.hasPendingPlugins()) {
                return strategy;
            }
        }
        return strategy;
    }

    /// A wildcard event that carries an object is meant for that pod alone.
    private static boolean isFor(QueuedPodInfo info, @Nullable ClusterObject target) {
        return target == null || target instanceof Pod pod && pod.uid().equals(info.pod().uid());
    }

    private Hint ask(
            HintMap.Entry entry,
            QueuedPodInfo info,
            ClusterEvent event,
            @Nullable ClusterObject before,
            @Nullable ClusterObject after) {
        boolean timed = metrics.wantsDurations() && ++timedCount <= MOST_TIMED;
        long start = timed ? time.nanos() : 0;
        Hint hint;
        String result;
        try {
            hint = entry.hint().judge(info.pod(), before, after);
            result = hint == Hint.SKIP ? "QueueSkip" : "Queue";
        } catch (Throwable failure) {
            // A try too many is better than a pod that is never woken.
            hint = Hint.QUEUE;
            result = "Error";
            report(failure, entry.plugin(), info, event);
        }
        if (timed) {
            metrics.hint(entry.plugin(), event.label(), result, time.nanos() - start);
        }
        return hint;
    }

    private void report(Throwable failure, String plugin, QueuedPodInfo info, ClusterEvent event) {
        if (reported.size() < MAX_REPORTED && reported.add(plugin + " " + event.label())) {
            log.error(
                    failure,
                    "QueueingHintFn returns error",
                    "event",
                    event.label(),
                    "plugin",
                    plugin,
                    "pod",
                    info.key());
        }
    }
}
