package io.berth.engine.queue;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Pods that back off, in two heaps: those that a plugin refused, which may be taken early when
/// nothing else is ready, and those whose attempt broke down, which always wait.
final class BackoffHeap {
    private final Backoff backoff;
    private final PodHeap unschedulable;
    private final PodHeap error;

    /// @param order of pods whose backoff ends at the same time
    BackoffHeap(Backoff backoff, boolean orderWindows, PodHeap.Order order) {
        this.backoff = backoff;
        this.unschedulable =
                new PodHeap(
                        SubQueue.BACKOFF,
                        byExpiration(orderWindows ? order : BackoffHeap::cameFirst));
        this.error = new PodHeap(SubQueue.ERROR_BACKOFF, byExpiration(BackoffHeap::cameFirst));
    }

    private PodHeap.Order byExpiration(PodHeap.Order tieBreak) {
        return (a, b) -> {
            long endOfA = backoff.expirationMillis(a);
            long endOfB = backoff.expirationMillis(b);
            return endOfA == endOfB ? tieBreak.before(a, b) : endOfA < endOfB;
        };
    }

    /// Upstream leaves this order open; a fixed one keeps runs repeatable.
    private static boolean cameFirst(QueuedPodInfo a, QueuedPodInfo b) {
        return a.turn() < b.turn();
    }

    void add(QueuedPodInfo info) {
        (info.hasRejectors() ? unschedulable : error).add(info);
    }

    void fix(QueuedPodInfo info) {
        heapOf(info).fix(info);
    }

    void remove(QueuedPodInfo info) {
        heapOf(info).remove(info);
    }

    private PodHeap heapOf(QueuedPodInfo info) {
        return info.subQueue == SubQueue.BACKOFF ? unschedulable : error;
    }

    int size() {
        return unschedulable.size() + error.size();
    }

    boolean hasUnschedulable() {
        return !unschedulable.isEmpty();
    }

    /// The first of the refused pods, whether its backoff has ended or not.
    @Nullable QueuedPodInfo popUnschedulable() {
        return unschedulable.isEmpty() ? null : unschedulable.pop();
    }

    /// Takes a pod out whose backoff is over: refused ones first.
    @Nullable QueuedPodInfo popOver(long nowMillis) {
        var found = popOver(unschedulable, nowMillis);
        return found == null ? popOver(error, nowMillis) : found;
    }

    private @Nullable QueuedPodInfo popOver(PodHeap heap, long nowMillis) {
        var head = heap.peek();
        return head != null && backoff.isOver(head, nowMillis) ? heap.pop() : null;
    }

    /// When the next pod leaves, or `Long.MAX_VALUE`.
    long nextLeavesAtMillis() {
        return Math.min(leavesAt(unschedulable.peek()), leavesAt(error.peek()));
    }

    private long leavesAt(@Nullable QueuedPodInfo head) {
        return head == null
                ? Long.MAX_VALUE
                : backoff.leavesAtMillis(backoff.expirationMillis(head));
    }

    void forEach(Consumer<? super QueuedPodInfo> consumer) {
        unschedulable.forEach(consumer);
        error.forEach(consumer);
    }

    void forEachSorted(Consumer<? super QueuedPodInfo> consumer) {
        unschedulable.sorted().forEach(consumer);
        error.sorted().forEach(consumer);
    }
}
