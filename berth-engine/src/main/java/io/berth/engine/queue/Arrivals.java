package io.berth.engine.queue;

import io.berth.api.model.Pod;
import io.berth.engine.port.TimeSource;

/// Notes when pods come, and in which turn those of one moment are tried.
///
/// Pods that are there when a scheduler starts come in the order of their names. If they were tried
/// in it, two thousand pods that fit nowhere and whose names come early would keep all others
/// waiting. So the pods of the first list count as having come at one moment, and among them a
/// number decides that has nothing to do with their names (E-66: upstream takes them in the order
/// of a hash map). It follows from the uid alone, so whoever lists the same pods tries them in the
/// same order. Whoever comes later is tried in the order of coming.
///
/// Owned by the engine thread.
final class Arrivals {
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final TimeSource time;
    private long count;
    private boolean isListing;
    private long listedAtMillis = UNKNOWN;

    Arrivals(TimeSource time) {
        this.time = time;
    }

    /// Whether the first list of pods is under way.
    void listing(boolean listing) {
        isListing = listing;
    }

    /// The entry of a pod that has come.
    QueuedPodInfo entry(Pod pod) {
        long turn = nextTurn();
        if (!isListing) {
            return new QueuedPodInfo(pod, time.nowMillis(), turn);
        }
        if (listedAtMillis == UNKNOWN) {
            listedAtMillis = time.nowMillis();
        }
        return new QueuedPodInfo(pod, listedAtMillis, listedTurn(pod.uid(), turn));
    }

    /// The next number in the order of coming; a pod that comes back has one, too.
    long nextTurn() {
        return ++count;
    }

    /// Grows with every pod that comes or comes back.
    long count() {
        return count;
    }

    /// Before all others. The order of coming decides where two uids have the same number.
    private static long listedTurn(String uid, long turn) {
        return Long.MIN_VALUE + ((long) (mixed(uid.hashCode()) >>> 1) << 32) + turn;
    }

    /// The last steps of MurmurHash3: uids that differ by little are far apart afterwards.
    private static int mixed(int hash) {
        int mixed = (hash ^ hash >>> 16) * 0x85ebca6b;
        mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
        return mixed ^ mixed >>> 16;
    }
}
