package io.berth.engine.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A binary heap of pods that can also change and remove those in its middle.
///
/// Each pod knows its index, so no lookup is needed. Sifting follows Go's `container/heap`, which
/// matters only for pods that the order does not tell apart.
final class PodHeap {
    /// Whether `a` leaves the heap before `b`.
    @FunctionalInterface
    interface Order {
        boolean before(QueuedPodInfo a, QueuedPodInfo b);
    }

    private final SubQueue subQueue;
    private final Order order;
    private final List<QueuedPodInfo> items = new ArrayList<>();

    /// @param subQueue where pods in this heap are
    PodHeap(SubQueue subQueue, Order order) {
        this.subQueue = subQueue;
        this.order = order;
    }

    int size() {
        return items.size();
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    boolean holds(QueuedPodInfo info) {
        return info.subQueue == subQueue
                && info.heapIndex >= 0
                && info.heapIndex < items.size()
                && items.get(info.heapIndex) == info;
    }

    void add(QueuedPodInfo info) {
        if (info.subQueue != SubQueue.OUT) {
            throw new IllegalStateException("pod " + info + " is already in the queue");
        }
        info.subQueue = subQueue;
        info.heapIndex = items.size();
        items.add(info);
        up(info.heapIndex);
    }

    @Nullable QueuedPodInfo peek() {
        return items.isEmpty() ? null : items.getFirst();
    }

    QueuedPodInfo pop() {
        if (items.isEmpty()) {
            throw new NoSuchElementException("heap is empty");
        }
        var head = items.getFirst();
        remove(head);
        return head;
    }

    /// Restores the order after a pod changed.
    void fix(QueuedPodInfo info) {
        requireHeld(info);
        if (!down(info.heapIndex, items.size())) {
            up(info.heapIndex);
        }
    }

    void remove(QueuedPodInfo info) {
        requireHeld(info);
        int index = info.heapIndex;
        int last = items.size() - 1;
        if (index != last) {
            swap(index, last);
            if (!down(index, last)) {
                up(index);
            }
        }
        items.removeLast();
        info.subQueue = SubQueue.OUT;
        info.heapIndex = -1;
    }

    /// In no particular order.
    void forEach(Consumer<? super QueuedPodInfo> consumer) {
        items.forEach(consumer);
    }

    /// In the order in which they would be popped.
    List<QueuedPodInfo> sorted() {
        var copy = new ArrayList<>(items);
        copy.sort((a, b) -> order.before(a, b) ? -1 : order.before(b, a) ? 1 : 0);
        return copy;
    }

    /// How many would be popped before a pod that is in here, and the first of them, at most so
    /// many. No order is made for it: those are looked at once each, and what hangs below them.
    ///
    /// @param limit for how many it is worth the time
    /// @return -1 where there are more
    int before(QueuedPodInfo info, int limit, int most, List<QueuedPodInfo> first) {
        var below = new int[2 * Integer.SIZE];
        int waiting = 1;
        int count = 0;
        while (waiting > 0) {
            int index = below[--waiting];
            // Nothing that comes later has anything earlier below it.
            if (index < items.size() && order.before(items.get(index), info)) {
                if (count == limit) {
                    return -1;
                }
                count++;
                keepFirst(items.get(index), most, first);
                below[waiting++] = 2 * index + 2;
                below[waiting++] = 2 * index + 1;
            }
        }
        return count;
    }

    private void keepFirst(QueuedPodInfo item, int most, List<QueuedPodInfo> first) {
        int place = first.size();
        while (place > 0 && order.before(item, first.get(place - 1))) {
            place--;
        }
        if (place < most) {
            first.add(place, item);
            if (first.size() > most) {
                first.removeLast();
            }
        }
    }

    private void requireHeld(QueuedPodInfo info) {
        if (!holds(info)) {
            throw new NoSuchElementException("object not found");
        }
    }

    private void up(int start) {
        int child = start;
        while (child > 0) {
            int parent = (child - 1) / 2;
            if (!order.before(items.get(child), items.get(parent))) {
                return;
            }
            swap(parent, child);
            child = parent;
        }
    }

    /// Returns whether anything moved.
    private boolean down(int start, int size) {
        int parent = start;
        while (true) {
            int left = 2 * parent + 1;
            if (left >= size) {
                break;
            }
            int right = left + 1;
            boolean rightFirst = right < size && order.before(items.get(right), items.get(left));
            int child = rightFirst ? right : left;
            if (!order.before(items.get(child), items.get(parent))) {
                break;
            }
            swap(parent, child);
            parent = child;
        }
        return parent > start;
    }

    private void swap(int i, int j) {
        var a = items.get(i);
        var b = items.get(j);
        items.set(i, b);
        items.set(j, a);
        b.heapIndex = i;
        a.heapIndex = j;
    }
}
