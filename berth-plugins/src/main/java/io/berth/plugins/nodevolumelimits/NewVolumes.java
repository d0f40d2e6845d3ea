package io.berth.plugins.nodevolumelimits;

import io.berth.api.model.Pod;
import io.berth.api.verdict.Refusal;
import io.berth.plugins.nodevolumelimits.PodVolumes.UnclearException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The volumes that would come to a node with a pod, by driver.
///
/// @param refusal where a claim of the pod is missing
/// @param error where its volumes cannot be told for another reason
/// @param isShared whether some of them are on some node already
/// @param isWhole whether all of the pod that may count are among them, so that there are no more
///   where drivers stand in for volumes of old
record NewVolumes(
        @Nullable Refusal refusal,
        @Nullable String error,
        Set<AttachedVolume> all,
        List<OfDriver> drivers,
        boolean isShared,
        boolean isWhole) {
    /// So many volumes of one driver.
    record OfDriver(DriverColumn column, int count) {}

    static NewVolumes of(Pod pod, boolean isMigrating, KeptVolumes kept) {
        var named = new ArrayList<AttachedVolume>(pod.spec().volumes().size());
        try {
            kept.podVolumes().of(pod, isMigrating, true, named::add);
        } catch (UnclearException unclear) {
            var text = String.valueOf(unclear.getMessage());
            return unclear.isMissing
                    ? new NewVolumes(
                            Refusal.hopeless(text), null, Set.of(), List.of(), false, false)
                    : new NewVolumes(null, text, Set.of(), List.of(), false, false);
        }
        boolean isWhole = named.size() == PodVolumes.mostThatCount(pod);
        if (named.size() == 1) {
            var only = named.getFirst();
            return new NewVolumes(
                    null,
                    null,
                    Set.of(only),
                    List.of(new OfDriver(kept.driver(only.driver()), 1)),
                    kept.isMounted(only),
                    isWhole);
        }
        var all = new LinkedHashSet<AttachedVolume>(named);
        var counts = new TreeMap<String, Integer>();
        boolean isShared = false;
        for (var volume : all) {
            counts.merge(volume.driver(), 1, Integer::sum);
            isShared |= kept.isMounted(volume);
        }
        var drivers = new ArrayList<OfDriver>(counts.size());
        counts.forEach((driver, count) -> drivers.add(new OfDriver(kept.driver(driver), count)));
        return new NewVolumes(null, null, all, drivers, isShared, isWhole);
    }

    boolean isEmpty() {
        return drivers.isEmpty() && refusal == null && error == null;
    }
}
