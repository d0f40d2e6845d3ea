package io.berth.sim.invariant;

import io.berth.api.handle.ClusterException;
import io.berth.api.write.Write;
import io.berth.engine.Inspection;
import io.berth.sim.plain.Broken;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A waiting pod is nominated in the engine's memory as its status says, once nothing is under way
/// any more. Where the write failed that should have told it, or could not even begin, the status
/// is behind until the pod's next attempt. A gated pod expects nothing.
final class ToldNominations implements Invariant {
    private static final String STATUS = "status ";

    private final Watched watched;
    private final Set<String> untold = new HashSet<>();

    ToldNominations(Watched watched) {
        this.watched = watched;
    }

    @Override
    public void atAnswer(Write write, @Nullable ClusterException failure) {
        if (write instanceof Write.PatchStatus patch && patch.nominatedNodeName() != null) {
            if (failure == null) {
                untold.remove(patch.pod().uid());
            } else {
                untold.add(patch.pod().uid());
            }
        }
    }

    @Override
    public void atNoThread(String name) {
        if (name.startsWith(STATUS)) {
            var pod = watched.server().pod(name.substring(STATUS.length()));
            if (pod != null) {
                untold.add(pod.uid());
            }
        }
    }

    @Override
    public void atEffect(Write write, boolean isLate) {
        if (isLate && write instanceof Write.OfPod ofPod) {
            watched.doubtful().add(ofPod.pod().uid());
        }
    }

    @Override
    public void atRest() {
        var queue = Inspection.of(watched.engine()).queue();
        queue.forEachPending(info -> {
            var pod = watched.server().pod(info.key());
            var uid = info.pod().uid();
            if (pod == null
                    || info.isGated()
                    || !pod.uid().equals(uid)
                    || untold.contains(uid)
                    || watched.doubtful().contains(uid)) {
                return;
            }
            var node = queue.nominator().nodeOf(uid).orElse("");
            Broken.require(
                    node.equals(pod.nominatedNodeName()),
                    "%s is nominated to '%s', but its status says '%s'",
                    info.key(),
                    node,
                    pod.nominatedNodeName());
        });
    }
}
