package io.berth.engine.query;

import io.berth.api.column.NodeView;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.engine.query.Difference.Happened;
import io.berth.engine.query.Difference.Mark;
import io.berth.engine.query.Difference.Place;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.Changes;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectLog;
import io.berth.engine.state.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds what has changed in an engine's books, in a time that goes by how much that is.
final class DifferenceTaker {
    private final ClusterState state;
    private final ObjectStore objects;
    private final SchedulingQueue queue;

    DifferenceTaker(Books books) {
        this.state = books.state();
        this.objects = books.objects();
        this.queue = books.queue();
    }

    Difference since(@Nullable Mark before) {
        var mark =
                new Mark(
                        state,
                        state.changes().version(),
                        objects.log().version(),
                        state.nextOrderVersion());
        if (before == null || !before.engine().equals(state)) {
            return whole(mark);
        }
        var happened = objects.log().since(before.objects());
        if (happened == null) {
            return whole(mark);
        }
        long most = Math.min(state.columns().limit(), mark.state() - before.state());
        var slots = new int[(int) most];
        int count = state.changes().since(before.state(), Changes.NODE | Changes.PODS, slots);
        if (count < 0) {
            return whole(mark);
        }
        var places = new ArrayList<Place>(count);
        for (int i = 0; i < count; i++) {
            places.add(place(slots[i]));
        }
        return new Difference(
                mark,
                false,
                places,
                happened.stream().map(this::happened).toList(),
                nominated(),
                before.order() == mark.order() ? List.of() : order(state),
                objects.podCount());
    }

    private Happened happened(ObjectLog.Entry entry) {
        return new Happened(entry, objects.other(entry.kind(), entry.namespace(), entry.name()));
    }

    private Difference whole(Mark mark) {
        var places = new ArrayList<Place>();
        for (var node : state.knownNodesInOrder()) {
            places.add(place(node.slot()));
        }
        for (var ghost : state.ghosts()) {
            places.add(place(ghost.slot()));
        }
        var all = new ArrayList<Happened>();
        objects.forEachOther(object -> all.add(new Happened(cameOf(object), object)));
        return new Difference(
                mark, true, places, all, nominated(), order(state), objects.podCount());
    }

    private static ObjectLog.Entry cameOf(ClusterObject object) {
        return new ObjectLog.Entry(object.kind(), object.namespace(), object.name(), false);
    }

    private Place place(int slot) {
        @Nullable NodeView place = state.placeAt(slot);
        if (place == null) {
            return new Place(slot, "", null, List.of());
        }
        return new Place(
                slot, place.name(), state.holdsNode(slot) ? place.node() : null, place.pods());
    }

    static List<String> order(ClusterState state) {
        var slots = state.nextOrder();
        var names = new ArrayList<String>(slots.length);
        for (int slot : slots) {
            names.add(state.view(slot).name());
        }
        return names;
    }

    private List<Pod> nominated() {
        var nominator = queue.nominator();
        if (nominator.isEmpty()) {
            return List.of();
        }
        var pods = new ArrayList<Pod>();
        for (var node : nominator.nodes()) {
            for (var pod : nominator.on(node)) {
                var info = queue.find(pod.key());
                if (info != null && info.pod().uid().equals(pod.uid())) {
                    pods.add(ImageTaker.nominated(info.pod(), node));
                }
            }
        }
        return pods;
    }
}
