package io.berth.engine.queue;

import io.berth.api.handle.Log;
import io.berth.api.plugin.PreEnqueue;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Sampler;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimeSource;
import java.util.Map;

/// Asks the PreEnqueue plugins whether a pod may be tried.
final class Gates {
    private final Map<String, QueueProfile> profiles;
    private final TimeSource time;
    private final Log log;
    private final QueueMetrics metrics;
    private final Sampler sampler = new Sampler();

    /// Whether the plugins of the run under way are timed one by one.
    private boolean isSampled;

    /// What the last plugin of the run under way said.
    private StatusCode lastCode = StatusCode.SUCCESS;

    Gates(Map<String, QueueProfile> profiles, TimeSource time, Log log, QueueMetrics metrics) {
        this.profiles = profiles;
        this.time = time;
        this.log = log;
        this.metrics = metrics;
    }

    /// Marks the pod as gated by the first plugin that refuses it, or as free. The plugin that
    /// gated it last is asked first, since it probably still does.
    void test(QueuedPodInfo info) {
        var profile = profiles.get(info.profile());
        if (profile == null || profile.preEnqueue().isEmpty()) {
            info.ungated();
            return;
        }
        boolean timed = metrics.wantsDurations();
        long start = timed ? time.nanos() : 0;
        isSampled = timed && sampler.next();
        if (passesAll(info, profile)) {
            info.ungated();
        }
        if (timed) {
            metrics.preEnqueue(profile.name(), lastCode, time.nanos() - start);
        }
    }

    private boolean passesAll(QueuedPodInfo info, QueueProfile profile) {
        String gatingPlugin = info.gatingPlugin();
        for (var plugin : profile.preEnqueue()) {
            if (plugin.name().equals(gatingPlugin) && !passes(plugin, info, profile)) {
                return false;
            }
        }
        for (var plugin : profile.preEnqueue()) {
            if (!plugin.name().equals(gatingPlugin) && !passes(plugin, info, profile)) {
                return false;
            }
        }
        return true;
    }

    private boolean passes(PreEnqueue plugin, QueuedPodInfo info, QueueProfile profile) {
        long start = isSampled ? time.nanos() : 0;
        StatusCode code;
        try {
            var refusal = plugin.preEnqueue(info.pod());
            code = refusal.map(StatusCode::of).orElse(StatusCode.SUCCESS);
            if (refusal.isPresent() && log.isOn(4)) {
                log.info(
                        4,
                        "Status after running PreEnqueue plugin",
                        "pod",
                        info.key(),
                        "plugin",
                        plugin.name(),
                        "status",
                        String.join(", ", refusal.get().reasons()));
            }
        } catch (Throwable failure) {
            code = StatusCode.ERROR;
            log.error(
                    failure,
                    "Unexpected error running PreEnqueue plugin",
                    "pod",
                    info.key(),
                    "plugin",
                    plugin.name());
        }
        lastCode = code;
        if (isSampled) {
            metrics.preEnqueuePlugin(plugin.name(), code, time.nanos() - start);
        }
        if (code == StatusCode.SUCCESS) {
            return true;
        }
        if (plugin.name().equals(info.gatingPlugin())) {
            info.staysGated();
            return false;
        }
        if (!info.isRejectedBy(plugin.name())) {
            metrics.refused(plugin.name(), profile.name(), 1);
        }
        info.gatedBy(plugin.name(), profile.hints().eventsOf(plugin.name()));
        return false;
    }
}
