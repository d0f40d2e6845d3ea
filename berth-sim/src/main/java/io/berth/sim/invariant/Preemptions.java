package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.queue.Nominator;
import io.berth.engine.queue.QueuedPodInfo;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What was decided about preemptions, noted when it was decided: whom they may evict, and what
/// becomes of the preemptor's nomination.
public final class Preemptions {
    private static final String KEPT = "(as it was)";

    private final Map<String, Set<String>> victimsByPreemptor = new HashMap<>();
    private final Map<String, String> nominations = new HashMap<>();

    void mayEvict(Pod preemptor, Collection<Pod> victims) {
        var all = victimsByPreemptor.computeIfAbsent(preemptor.uid(), uid -> new HashSet<>());
        victims.forEach(victim -> all.add(victim.uid()));
    }

    /// Whether a pod has ever preempted others.
    public boolean isPreemptor(String uid) {
        return victimsByPreemptor.containsKey(uid);
    }

    public boolean isVictim(String uid) {
        return victimsByPreemptor.values().stream().anyMatch(victims -> victims.contains(uid));
    }

    public boolean isVictimOf(String uid, String preemptor) {
        return victimsByPreemptor.getOrDefault(preemptor, Set.of()).contains(uid);
    }

    /// The attempt under way leaves the nomination alone.
    void keepsNomination(Pod pod) {
        nominations.put(pod.uid(), KEPT);
    }

    /// @param node empty for none
    void nominates(Pod pod, String node) {
        nominations.put(pod.uid(), node);
    }

    /// An attempt came to nothing, and the pod is back in the queue. Where the attempt broke, the
    /// nomination is over; other post-filters than preemption leave it alone (E-83, E-106).
    void checkFailed(QueuedPodInfo info, Nominator nominator) {
        var pod = info.pod();
        var broken = info.unschedulablePlugins().isEmpty() ? "" : KEPT;
        var said = nominations.remove(pod.uid());
        var expected = said == null ? broken : said;
        if (!expected.equals(KEPT)) {
            var node = nominator.nodeOf(pod.uid()).orElse("");
            Broken.require(
                    node.equals(expected),
                    "%s is nominated to '%s' instead of '%s'",
                    pod.key(),
                    node,
                    expected);
        }
    }
}
