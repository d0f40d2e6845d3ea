package io.berth.lab.shadow;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterFeed;
import java.util.ArrayList;
import java.util.List;

/// Another state in which a decision may have been made: with pods whose binding was under way,
/// without pods that were decided about later, with pods that were still there.
///
/// @param assumed pods that have no node yet as far as is known, and got one soon after
/// @param undecided pods that got their node just before
/// @param lingering pods that are gone since a moment
record Thought(List<Move> assumed, List<Move> undecided, List<Pod> lingering) {
    Thought {
        assumed = List.copyOf(assumed);
        undecided = List.copyOf(undecided);
        lingering = List.copyOf(lingering);
    }

    /// A pod that got a node.
    ///
    /// @param order of being seen first, among all pods
    record Move(Pod before, Pod after, long order, long atNanos) {
        /// Whether a queue would have tried it first: the more important, then the older.
        boolean isBefore(Move other) {
            int ours = before.spec().priority();
            int theirs = other.before.spec().priority();
            return ours == theirs ? order < other.order : ours > theirs;
        }
    }

    boolean isEmpty() {
        return assumed.isEmpty() && undecided.isEmpty() && lingering.isEmpty();
    }

    void tell(ClusterFeed feed) {
        undecided.forEach(move -> gone(feed, move.after));
        assumed.forEach(move -> feed.seen(move.after));
        lingering.forEach(feed::seen);
    }

    void takeBack(ClusterFeed feed) {
        lingering.forEach(pod -> gone(feed, pod));
        for (var move : assumed) {
            gone(feed, move.after);
            feed.seen(move.before);
        }
        undecided.forEach(move -> feed.seen(move.after));
    }

    private static void gone(ClusterFeed feed, Pod pod) {
        feed.gone(Kind.POD, pod.namespace(), pod.name());
    }

    /// The states that a decision may have been made in, the likeliest first: by the order of a
    /// queue, by age alone, and each with one of the two differences only.
    ///
    /// @param later bindings that were seen soon after
    /// @param earlier bindings that were seen just before
    static List<Thought> about(Move move, List<Move> later, List<Move> earlier, List<Pod> gone) {
        var firstByQueue = later.stream().filter(other -> other.isBefore(move)).toList();
        var lastByQueue = earlier.stream().filter(move::isBefore).toList();
        var firstByAge = later.stream().filter(other -> other.order < move.order).toList();
        var lastByAge = earlier.stream().filter(other -> other.order > move.order).toList();
        var thoughts = new ArrayList<Thought>();
        add(thoughts, new Thought(firstByQueue, lastByQueue, List.of()));
        add(thoughts, new Thought(firstByAge, lastByAge, List.of()));
        add(thoughts, new Thought(firstByQueue, List.of(), List.of()));
        add(thoughts, new Thought(List.of(), lastByQueue, List.of()));
        add(thoughts, new Thought(firstByQueue, lastByQueue, gone));
        add(thoughts, new Thought(List.of(), List.of(), gone));
        return thoughts;
    }

    private static void add(List<Thought> thoughts, Thought thought) {
        if (!thought.isEmpty() && !thoughts.contains(thought)) {
            thoughts.add(thought);
        }
    }
}
