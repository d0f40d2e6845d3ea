package io.berth.sim.invariant;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.cluster.WatchStream;
import io.berth.sim.fault.Mishaps;
import io.berth.sim.time.VirtualTime;
import io.berth.testkit.InMemoryMetrics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What invariants look at: one scheduler process and the cluster that it works for.
public interface Watched {
    ApiServer server();

    VirtualTime time();

    Engine engine();

    /// What the process hears of a kind.
    WatchStream stream(Kind kind);

    Mishaps mishaps();

    /// The name of the task that is at work, such as `bind default/p1`; empty where none is.
    String task();

    /// Null where nobody counts.
    @Nullable InMemoryMetrics metrics();

    /// Uids of pods about which something arrived that nobody waits for any more: no process can
    /// answer for their status. Shared by all processes.
    Set<String> doubtful();

    /// Whether nothing happens that could overfill a node behind the scheduler's back.
    boolean isStrict();

    /// Pods that nobody has placed yet: for asking what would become of them.
    List<Pod> probes();

    /// The settings without anything that breaks.
    EngineSettings plainSettings();

    /// The names of the plugins that a pod is tried with.
    default Set<String> pluginsFor(Pod pod) {
        var plugins = new HashSet<String>();
        var profile = engine().profiles().get(pod.spec().schedulerName());
        if (profile != null) {
            profile.plugins().forEach(plugin -> plugins.add(plugin.name()));
        }
        return plugins;
    }
}
