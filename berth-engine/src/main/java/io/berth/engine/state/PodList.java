package io.berth.engine.state;

import io.berth.api.model.Pod;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;

/// The pods on a node. A removed pod's place is taken by the last one, as upstream does it: the
/// order feeds preemption and scoring, so it is part of the behaviour (E-14).
///
/// A pod is found by identity: scanning references touches no pod.
final class PodList extends AbstractList<Pod> implements RandomAccess {
    private static final int FIRST_CAPACITY = 4;

    private Pod[] pods;
    private int size;

    PodList() {
        pods = new Pod[FIRST_CAPACITY];
    }

    PodList(PodList other) {
        pods = Arrays.copyOf(other.pods, Math.max(FIRST_CAPACITY, other.size + 1));
        size = other.size;
    }

    @Override
    public Pod get(int index) {
        return pods[Objects.checkIndex(index, size)];
    }

    @Override
    public int size() {
        return size;
    }

    void append(Pod pod) {
        if (size == pods.length) {
            pods = Arrays.copyOf(pods, 2 * size);
        }
        pods[size++] = pod;
        modCount++;
    }

    /// Where this very object is, or else a pod of the same uid; -1 where there is none.
    @SuppressWarnings("ReferenceEquality") // identity is the quick case, the uid decides
    int find(Pod pod) {
        for (int i = 0; i < size; i++) {
            if (pods[i] == pod) {
                return i;
            }
        }
        for (int i = 0; i < size; i++) {
            if (pods[i].uid().equals(pod.uid())) {
                return i;
            }
        }
        return -1;
    }

    @SuppressWarnings("NullAway") // the vacated place of the array lies beyond the list
    Pod removeAt(int index) {
        var removed = get(index);
        size--;
        pods[index] = pods[size];
        pods[size] = null;
        modCount++;
        return removed;
    }
}
