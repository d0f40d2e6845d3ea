package io.berth.apiserver.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The recent changes of one type, oldest first, and the place where watches wait for more.
///
/// Every watch reads this one log at its own pace, so a slow watch costs no memory: when the
/// changes it still needs are dropped, it learns so by [#isLost] and ends. The store appends and
/// drops while holding its own lock, always before this one.
public final class ChangeLog {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition grown = lock.newCondition();

    /// A ring: `size` changes starting at `first`.
    @GuardedBy("lock") private @Nullable Change[] ring = new Change[64];

    @GuardedBy("lock") private int first;

    @GuardedBy("lock") private int size;

    /// The revision of the newest change that is no longer here.
    private volatile long droppedRevision;

    void append(Change change) {
        lock.lock();
        try {
            if (size == ring.length) {
                grow();
            }
            ring[(first + size) % ring.length] = change;
            size++;
            grown.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Drops the oldest change and returns it.
    Change dropFirst() {
        lock.lock();
        try {
            Change change = at(0);
            ring[first] = null;
            first = (first + 1) % ring.length;
            size--;
            droppedRevision = change.revision();
            return change;
        } finally {
            lock.unlock();
        }
    }

    /// Says whether changes after this revision have been dropped already.
    public boolean isLost(long revision) {
        return revision < droppedRevision;
    }

    public long droppedRevision() {
        return droppedRevision;
    }

    /// Up to `max` changes after a revision, oldest first; empty if some have been dropped.
    public Optional<List<Change>> after(long revision, int max) {
        lock.lock();
        try {
            if (isLost(revision)) {
                return Optional.empty();
            }
            int from = firstAfter(revision);
            int to = from + Math.min(size - from, max);
            var changes = new ArrayList<Change>(to - from);
            for (int i = from; i < to; i++) {
                changes.add(at(i));
            }
            return Optional.of(changes);
        } finally {
            lock.unlock();
        }
    }

    /// Waits until there is a change after `revision`, somebody called [#wake], or time is up. May
    /// also return for no reason, so the caller looks again.
    ///
    /// @param over set before a call of [#wake] by whoever ends the caller; asked under the lock,
    ///   so that no such call is missed
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    public void await(long revision, long nanos, BooleanSupplier over) throws InterruptedException {
        lock.lock();
        try {
            boolean nothingNew = size == 0 || at(size - 1).revision() <= revision;
            if (nothingNew && !over.getAsBoolean()) {
                var _ = grown.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Lets every waiting watch look around: some of them may have to end.
    public void wake() {
        lock.lock();
        try {
            grown.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private int firstAfter(long revision) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).revision() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @GuardedBy("lock") private Change at(int index) {
        Change change = ring[(first + index) % ring.length];
        if (change == null) {
            throw new IllegalStateException("no change at " + index + " of " + size);
        }
        return change;
    }

    @GuardedBy("lock") private void grow() {
        @Nullable Change[] larger = new Change[ring.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = at(i);
        }
        ring = larger;
        first = 0;
    }
}
