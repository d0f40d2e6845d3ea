package io.berth.api.device;

import io.berth.api.label.Labelled;
import io.berth.api.spec.NodeSelector;
import org.jspecify.annotations.Nullable;

/// The nodes that have access: one, all, or some; with none of the three none.
///
/// @param nodeName empty where absent
public record Reach(String nodeName, boolean isEverywhere, @Nullable NodeSelector selector) {
    public static final Reach NOWHERE = new Reach("", false, null);

    public static Reach of(String nodeName) {
        return new Reach(nodeName, false, null);
    }

    public static Reach everywhere() {
        return new Reach("", true, null);
    }

    public boolean isNowhere() {
        return nodeName.isEmpty() && !isEverywhere && selector == null;
    }

    public boolean includes(Labelled node) {
        if (!nodeName.isEmpty()) {
            return nodeName.equals(node.name());
        }
        return isEverywhere || selector != null && selector.matches(node);
    }
}
