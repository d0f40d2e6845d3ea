package io.berth.plugins.defaultbinder;

import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Bind;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.write.Write;

/// Binds a pod by creating its Binding in the API server.
public final class DefaultBinder implements Bind {
    public static final String NAME = "DefaultBinder";

    private final ClusterWrites writes;

    public DefaultBinder(ClusterWrites writes) {
        this.writes = writes;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public BindVerdict bind(Cycle cycle, Pod pod, String nodeName) {
        writes.send(new Write.Bind(pod, nodeName));
        return BindVerdict.BOUND;
    }

    @Override
    public boolean isSingleWrite() {
        return true;
    }
}
