package io.berth.plugins.tainttoleration;

import io.berth.api.column.NodeColumns;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import java.util.List;
import java.util.function.Predicate;

/// How many taints of each node some tolerations leave untolerated, worked out once per set of
/// taints.
public final class TaintVerdicts {
    private static final int UNKNOWN = -1;

    private final NodeColumns columns;
    private final int[] taintSetIds;
    private final Predicate<Taint> counts;
    private final int[] untolerated;

    private TaintVerdicts(NodeColumns columns, Predicate<Taint> counts) {
        this.columns = columns;
        this.taintSetIds = columns.taintSetIds();
        this.counts = counts;
        this.untolerated = new int[columns.taintSetLimit()];
        for (int id = 0; id < untolerated.length; id++) {
            untolerated[id] = columns.isTaintSet(id) ? countIn(columns.taints(id)) : UNKNOWN;
        }
    }

    /// Taints that keep pods away (NoSchedule, NoExecute).
    public static TaintVerdicts ofRepelling(List<Toleration> tolerations, NodeColumns columns) {
        return new TaintVerdicts(
                columns, taint -> taint.keepsPodsAway() && !isTolerated(taint, tolerations));
    }

    /// Taints that say "rather not" (PreferNoSchedule). Only tolerations for that effect, or for
    /// every effect, are considered (TT-2).
    static TaintVerdicts ofDiscouraging(List<Toleration> tolerations, NodeColumns columns) {
        var considered =
                tolerations.stream()
                        .filter(toleration ->
                                toleration.effect().isEmpty()
                                        || toleration.effect().equals(Taint.PREFER_NO_SCHEDULE))
                        .toList();
        return new TaintVerdicts(
                columns,
                taint ->
                        taint.effect().equals(Taint.PREFER_NO_SCHEDULE)
                                && !isTolerated(taint, considered));
    }

    /// Whether one of the taints keeps a pod with these tolerations away.
    public static boolean repels(List<Taint> taints, List<Toleration> tolerations) {
        for (var taint : taints) {
            if (taint.keepsPodsAway() && !isTolerated(taint, tolerations)) {
                return true;
            }
        }
        return false;
    }

    /// Hot. A set of taints that was not there when this was made is judged on the spot.
    public int count(int slot) {
        int id = taintSetIds[slot];
        int known = id < untolerated.length ? untolerated[id] : UNKNOWN;
        return known == UNKNOWN ? countIn(columns.taints(id)) : known;
    }

    private int countIn(List<Taint> taints) {
        int count = 0;
        for (var taint : taints) {
            if (counts.test(taint)) {
                count++;
            }
        }
        return count;
    }

    private static boolean isTolerated(Taint taint, List<Toleration> tolerations) {
        for (var toleration : tolerations) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }
}
