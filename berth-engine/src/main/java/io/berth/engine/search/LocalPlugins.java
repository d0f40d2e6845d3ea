package io.berth.engine.search;

import io.berth.api.plugin.Filter;
import io.berth.api.plugin.NodeLocal;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.Score;
import io.berth.api.spec.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// The node-local plugins of a profile, split by how their results are kept.
///
/// @param filterPositions positions of `filters` in the profile's filter list
/// @param filterCount length of that list
/// @param plain scores without normalising
/// @param normalised scores that are normalised over the feasible nodes of each attempt
record LocalPlugins(
        List<NodeLocalFilter> filters,
        short[] filterPositions,
        int filterCount,
        List<NodeLocalScore> plain,
        long[] plainWeights,
        List<NodeLocalScore> normalised,
        boolean readsNodeCount,
        boolean readsClaims) {

    static LocalPlugins of(List<Filter> filters, List<Score> scores, ToLongFunction<Score> weight) {
        var local = new ArrayList<NodeLocalFilter>();
        var positions = new short[filters.size()];
        for (int i = 0; i < filters.size(); i++) {
            if (filters.get(i) instanceof NodeLocalFilter filter) {
                positions[local.size()] = (short) i;
                local.add(filter);
            }
        }
        var plain = new ArrayList<NodeLocalScore>();
        var normalised = new ArrayList<NodeLocalScore>();
        for (var score : scores) {
            if (score instanceof NodeLocalScore localScore) {
                (score instanceof Normalize ? normalised : plain).add(localScore);
            }
        }
        var all = new ArrayList<NodeLocal>(local);
        all.addAll(plain);
        all.addAll(normalised);
        return new LocalPlugins(
                List.copyOf(local),
                positions,
                filters.size(),
                List.copyOf(plain),
                plain.stream().mapToLong(weight).toArray(),
                List.copyOf(normalised),
                all.stream().anyMatch(NodeLocal::readsNodeCount),
                all.stream().anyMatch(NodeLocal::readsClaims));
    }

    /// The part of a pod's spec that these plugins look at, by which their results are kept. Pods
    /// of a StatefulSet differ in their claims alone.
    PodSpec keptBy(PodSpec spec) {
        return readsClaims ? spec : spec.withoutClaims();
    }

    NodeLocalFilter filterAt(int position) {
        for (int i = 0; i < filters.size(); i++) {
            if (filterPositions[i] == position) {
                return filters.get(i);
            }
        }
        throw new IllegalStateException("no node-local filter at position " + position);
    }
}
