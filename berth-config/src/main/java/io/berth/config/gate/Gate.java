package io.berth.config.gate;

import java.util.List;

/// A feature gate: its stages over the versions, and the gates it needs.
///
/// @param isRead whether kube-scheduler reads it; the others are those of other components
/// @param periods from old to new
public record Gate(String name, boolean isRead, List<Period> periods, List<String> needs) {
    private static final Period BEFORE =
            new Period(new KubeVersion(0, 0), Stage.PRE_ALPHA, false, false);

    public Gate {
        periods = List.copyOf(periods);
        needs = List.copyOf(needs);
    }

    /// The stage from one version on, until the next period begins.
    ///
    /// @param locked whether the default cannot be changed
    public record Period(KubeVersion from, Stage stage, boolean onByDefault, boolean locked) {}

    /// Whether it can be switched in a version.
    boolean isChoosable(KubeVersion version) {
        Period period = at(version);
        return period.stage() != Stage.PRE_ALPHA && !period.locked();
    }

    /// The period that a version belongs to.
    Period at(KubeVersion version) {
        Period current = BEFORE;
        for (Period period : periods) {
            if (period.from().compareTo(version) <= 0) {
                current = period;
            }
        }
        return current;
    }
}
