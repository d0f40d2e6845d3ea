package io.berth.plugins.noderesources;

import io.berth.api.amount.Resources;
import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.PodSpec;
import io.berth.plugins.device.DeviceTotals;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prefers nodes whose resources the pod would bring closer to being equally used.
///
/// The score is 75 where the pod changes nothing, more where it evens out and less where it tilts.
public final class NodeResourcesBalancedAllocation implements PreScore, NodeLocalScore {
    public static final String NAME = "NodeResourcesBalancedAllocation";

    private final List<ResourceWeight> resources;
    private final @Nullable DeviceTotals totals;

    public NodeResourcesBalancedAllocation(BalancedArguments arguments) {
        this(arguments, null);
    }

    /// @param totals of devices that stand for resources; null where none do
    NodeResourcesBalancedAllocation(BalancedArguments arguments, @Nullable DeviceTotals totals) {
        this.resources = arguments.resources();
        this.totals = totals;
    }

    public static NodeResourcesBalancedAllocation of(BalancedArguments arguments, Handle handle) {
        return new NodeResourcesBalancedAllocation(
                arguments, DeviceTotals.of(handle, ResourceWeight.names(arguments.resources())));
    }

    @Override
    public String name() {
        return NAME;
    }

    /// A pod that asks for none of the resources cannot change their balance.
    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        return !asksForNothing(pod.spec().requests().exact());
    }

    private boolean asksForNothing(Resources request) {
        for (var resource : resources) {
            if (request.amount(resource.name()) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public SlotScore scorer(PodSpec spec, NodeColumns columns) {
        var request = spec.requests().exact();
        if (asksForNothing(request)) {
            return slot -> 0;
        }
        var scored = ScoredResources.of(resources, request, false, columns, totals);
        return slot -> {
            long with = balance(scored, slot, true);
            long without = balance(scored, slot, false);
            return Score.MAX / 2 + (Score.MAX / 2 + with - without) / 2;
        };
    }

    /// 100 less the standard deviation of the used fractions, in percent. Hot. The order of the
    /// floating-point operations is upstream's and decides the last digit (BA-7).
    private static long balance(ScoredResources resources, int slot, boolean withPod) {
        double sum = 0;
        double first = 0;
        double second = 0;
        int count = 0;
        for (int i = 0; i < resources.count(); i++) {
            if (resources.capacity(i, slot) != 0) {
                double fraction = fraction(resources, i, slot, withPod);
                sum += fraction;
                if (count == 0) {
                    first = fraction;
                } else if (count == 1) {
                    second = fraction;
                }
                count++;
            }
        }
        double deviation = 0;
        if (count == 2) {
            deviation = Math.abs((first - second) / 2);
        } else if (count > 2) {
            deviation = deviation(resources, slot, withPod, sum / count, count);
        }
        return (long) ((1 - deviation) * (double) Score.MAX);
    }

    private static double deviation(
            ScoredResources resources, int slot, boolean withPod, double mean, int count) {
        double squares = 0;
        for (int i = 0; i < resources.count(); i++) {
            if (resources.capacity(i, slot) != 0) {
                double fraction = fraction(resources, i, slot, withPod);
                squares += (fraction - mean) * (fraction - mean);
            }
        }
        return Math.sqrt(squares / count);
    }

    private static double fraction(ScoredResources resources, int i, int slot, boolean withPod) {
        long requested = resources.taken(i, slot) + (withPod ? resources.asked()[i] : 0);
        double fraction = (double) requested / (double) resources.capacity(i, slot);
        return fraction > 1 ? 1 : fraction;
    }
}
