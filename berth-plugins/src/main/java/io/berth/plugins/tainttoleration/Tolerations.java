package io.berth.plugins.tainttoleration;

import io.berth.api.handle.Handle;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Toleration;
import java.util.List;

/// Which tolerations of a pod count. Those that compare numbers do so only where that feature is on
/// (rule H-10).
public record Tolerations(boolean mayCompare) {
    public static final String FEATURE = "TaintTolerationComparisonOperators";

    public static Tolerations of(Handle handle) {
        return new Tolerations(handle.isFeatureOn(FEATURE));
    }

    public List<Toleration> of(PodSpec spec) {
        var all = spec.tolerations();
        return mayCompare || all.stream().noneMatch(Toleration::isComparison)
                ? all
                : all.stream().filter(toleration -> !toleration.isComparison()).toList();
    }
}
