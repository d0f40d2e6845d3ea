package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.engine.queue.Nominator;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.sim.plain.Broken;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Nobody is evicted but those whom a preemption may evict, and the preemptor is nominated as was
/// decided. Noted when it is decided.
public final class Preemptions implements Invariant {
    private static final String KEPT = "(as it was)";

    private final Map<String, Set<String>> victimsByPreemptor = new HashMap<>();
    private final Map<String, String> nominated = new HashMap<>();

    /// What the attempt under way said.
    private final Map<String, String> nominations = new HashMap<>();

    @Override
    public void atWrite(Write write) {
        if (write instanceof Write.Delete(var pod)) {
            Broken.require(
                    victimsByPreemptor.values().stream()
                            .anyMatch(victims -> victims.contains(pod.uid())),
                    "%s is deleted, though nobody needs that",
                    pod.key());
        }
    }

    @Override
    public void atEviction(Pod victim, @Nullable Pod preemptor) {
        Broken.require(
                preemptor != null
                        && victimsByPreemptor
                                .getOrDefault(preemptor.uid(), Set.of())
                                .contains(victim.uid()),
                "%s was evicted for %s, which did not need that",
                victim.key(),
                preemptor);
    }

    void mayEvict(Pod preemptor, Collection<Pod> victims) {
        var all = victimsByPreemptor.computeIfAbsent(preemptor.uid(), uid -> new HashSet<>());
        victims.forEach(victim -> all.add(victim.uid()));
    }

    /// Whether a pod has ever preempted others.
    boolean isPreemptor(String uid) {
        return victimsByPreemptor.containsKey(uid);
    }

    /// The attempt under way leaves the nomination alone.
    void keepsNomination(Pod pod) {
        nominations.put(pod.uid(), KEPT);
    }

    /// The node that an attempt nominated the pod to last; empty for none.
    String nominationOf(String uid) {
        return nominated.getOrDefault(uid, "");
    }

    /// @param node empty for none
    void nominates(Pod pod, String node) {
        nominations.put(pod.uid(), node);
        nominated.put(pod.uid(), node);
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
