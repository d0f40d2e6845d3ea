package io.berth.sim.cluster;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.ClusterException;
import io.berth.api.plugin.ClusterWrites;
import io.berth.sim.time.Strands;
import io.berth.sim.time.VirtualTime;
import org.jspecify.annotations.Nullable;

/// The writes of one scheduler process. A call pauses its strand until the answer is there; what is
/// on its way to the server takes effect even when the process ends meanwhile.
public final class SimulatedWrites implements ClusterWrites {
    /// Hears of bindings and deletions as they are asked for and answered.
    public interface Witness {
        void binding(Pod pod, String node);

        /// @param failure null where the binding succeeded
        void bindingAnswered(Pod pod, String node, @Nullable ClusterException failure);

        void deleting(Pod pod);

        void told(String line);
    }

    private final ApiServer server;
    private final VirtualTime time;
    private final Strands strands;
    private final WriteFaults faults;
    private final Witness witness;

    public SimulatedWrites(
            ApiServer server,
            VirtualTime time,
            Strands strands,
            WriteFaults faults,
            Witness witness) {
        this.server = server;
        this.time = time;
        this.strands = strands;
        this.faults = faults;
        this.witness = witness;
    }

    @Override
    public void bind(Pod pod, String node) {
        witness.binding(pod, node);
        try {
            call(
                    "bind " + pod.key() + " to " + node,
                    true,
                    () -> server.bind(pod.key(), pod.uid(), node));
        } catch (ClusterException failure) {
            witness.bindingAnswered(pod, node, failure);
            throw failure;
        }
        witness.bindingAnswered(pod, node, null);
    }

    @Override
    public void patchStatus(
            Pod pod, @Nullable PodCondition condition, @Nullable String nominatedNodeName) {
        boolean saysNothing =
                (condition == null || condition.equals(pod.condition(condition.type())))
                        && (nominatedNodeName == null
                                || nominatedNodeName.equals(pod.nominatedNodeName()));
        if (saysNothing) {
            return;
        }
        call(
                "patch " + pod.key() + (nominatedNodeName == null ? "" : " ->" + nominatedNodeName),
                false,
                () -> server.patchStatus(pod, condition, nominatedNodeName));
    }

    @Override
    public void delete(Pod pod) {
        witness.deleting(pod);
        call("delete " + pod.key(), false, () -> server.delete(pod.key(), pod.uid()));
    }

    private void call(String what, boolean isBinding, Runnable effect) {
        var fate = faults.next(isBinding);
        var strand = strands.current();
        var refusal = new ClusterException[1];
        if (fate.happens() == WriteFate.Effect.DONE) {
            time.in(
                    fate.effectMillis(),
                    () -> {
                        try {
                            effect.run();
                            witness.told("server: " + what);
                        } catch (ClusterException refused) {
                            witness.told("server: no " + what + ": " + refused.getMessage());
                            refusal[0] = refused;
                        }
                    });
        }
        if (fate.answerMillis() != WriteFate.NEVER) {
            time.in(fate.answerMillis(), () -> strands.resume(strand));
        }
        strands.pause();
        if (fate.failure() != null) {
            witness.told("answer: " + fate.failure() + " to " + what);
            throw new ClusterException(fate.failure(), "simulated " + fate.failure());
        }
        if (refusal[0] != null) {
            throw refusal[0];
        }
    }
}
