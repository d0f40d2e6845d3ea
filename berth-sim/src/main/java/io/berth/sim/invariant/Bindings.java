package io.berth.sim.invariant;

import io.berth.api.handle.ClusterException;
import io.berth.api.write.Write;
import io.berth.sim.plain.Broken;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// No pod is bound by two writes at once, nor again after it was bound.
public final class Bindings implements Invariant {
    private final Set<String> unanswered = new HashSet<>();
    private final Set<String> bound = new HashSet<>();

    @Override
    public void atWrite(Write write) {
        if (write instanceof Write.Bind(var pod, var node)) {
            Broken.require(unanswered.add(pod.uid()), "%s is being bound twice at once", pod.key());
            Broken.require(
                    !bound.contains(pod.uid()),
                    "%s is to be bound to %s although its binding has succeeded",
                    pod.key(),
                    node);
        }
    }

    @Override
    public void atAnswer(Write write, @Nullable ClusterException failure) {
        if (write instanceof Write.Bind(var pod, _)) {
            unanswered.remove(pod.uid());
            if (failure == null) {
                bound.add(pod.uid());
            }
        }
    }

    /// Uids of pods whose binding was asked for and has not been answered.
    public Set<String> unanswered() {
        return unanswered;
    }

    /// Whether the API server has told that it bound the pod.
    boolean hasBound(String uid) {
        return bound.contains(uid);
    }
}
