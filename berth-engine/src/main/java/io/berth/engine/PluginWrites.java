package io.berth.engine;

import io.berth.api.handle.ClusterWrites;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;

/// What plugins may write by themselves. What the scheduler says of a pod's placement has one order
/// per pod, which a write past it would break.
record PluginWrites(ClusterWrites real) implements ClusterWrites {
    @Override
    public Receipt send(Write write, Departure departure) {
        if (write instanceof Write.PatchStatus patch && isAboutPlacement(patch)) {
            throw new IllegalArgumentException(
                    "nominations are written by Handle.nominate, and %s by the scheduler alone"
                            .formatted(PodCondition.POD_SCHEDULED));
        }
        return real.send(write, departure);
    }

    @Override
    public ClusterObject read(Kind kind, String namespace, String name) {
        return real.read(kind, namespace, name);
    }

    private static boolean isAboutPlacement(Write.PatchStatus patch) {
        var condition = patch.condition();
        return patch.nominatedNodeName() != null
                || condition != null && condition.type().equals(PodCondition.POD_SCHEDULED);
    }
}
