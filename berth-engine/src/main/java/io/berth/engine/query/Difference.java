package io.berth.engine.query;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.state.ObjectLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// By how much the cluster as an engine takes it to be differs from what it was at an earlier look.
///
/// A twin that is told all of it judges as the engine does, see [EngineQueries#image].
///
/// @param mark what the next look begins from
/// @param isWhole whether it is all that there is, since too much has happened or nobody looked
///   before
/// @param places the nodes that changed, or whose pods did; where it is whole all of them, in the
///   order of visits
/// @param objects what happened to others than nodes and pods, in order; where it is whole one for
///   each
/// @param nominated the pods that wait and are nominated to a node, always all of them, each node's
///   in the order of nomination
/// @param order the names of all nodes as an attempt would visit them now; empty where that is as
///   it was, or not known
/// @param podCount how many pods are known, wherever they are
public record Difference(
        Mark mark,
        boolean isWhole,
        List<Place> places,
        List<Happened> objects,
        List<Pod> nominated,
        List<String> order,
        int podCount) {
    public Difference {
        places = List.copyOf(places);
        objects = List.copyOf(objects);
        nominated = List.copyOf(nominated);
        order = List.copyOf(order);
    }

    /// Where a look ended.
    ///
    /// @param engine whose books were looked at; of another engine all is new
    /// @param order another one whenever nodes may be visited in another order
    public record Mark(Object engine, long state, long objects, long order) {}

    /// A node and the pods on it, or the pods on a node that is not known, or nothing any more.
    ///
    /// @param slot tells places apart
    /// @param name empty where nothing is there any more
    public record Place(int slot, String name, @Nullable Node node, List<Pod> pods) {
        public Place {
            pods = List.copyOf(pods);
        }
    }

    /// @param object as it is now; null where it is gone
    public record Happened(ObjectLog.Entry entry, @Nullable ClusterObject object) {}
}
