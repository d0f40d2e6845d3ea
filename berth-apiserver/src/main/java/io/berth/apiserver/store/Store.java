package io.berth.apiserver.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.berth.apiserver.resource.ResourceType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// Every object of the server, under one revision counter that each write increments by one.
///
/// Called by many request threads. One read-write lock guards objects, counter and history
/// together, so a list sees one moment, and history is in the order of revisions. Writers come with
/// a finished [Draft] and the state they started from, and are turned away when that state is no
/// longer the current one.
public final class Store {
    private final HistoryLimits limits;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /// By qualified name: a definition may change what else is said of a type.
    private final Map<String, Shelf> shelves = new ConcurrentHashMap<>();

    /// The log of each kept change, oldest first: which log to shorten next.
    @GuardedBy("lock") private final ArrayDeque<ChangeLog> history = new ArrayDeque<>();

    @GuardedBy("lock") private long historyBytes;

    /// Written under the lock, after the change is in its log: whoever reads revision r finds all
    /// changes up to r in the logs.
    private volatile long revision = 1;

    public Store(HistoryLimits limits) {
        this.limits = limits;
    }

    /// The objects of one type.
    private static final class Shelf {
        final NavigableMap<String, StoredObject> objects = new TreeMap<>();
        final ChangeLog log = new ChangeLog();
    }

    public long revision() {
        return revision;
    }

    public ChangeLog log(ResourceType type) {
        return shelf(type).log;
    }

    public Optional<StoredObject> get(ResourceType type, String path) {
        lock.readLock().lock();
        try {
            return Optional.ofNullable(shelf(type).objects.get(path));
        } finally {
            lock.readLock().unlock();
        }
    }

    /// All objects whose path starts with a prefix, now.
    public Page list(ResourceType type, String prefix) {
        lock.readLock().lock();
        try {
            return new Page(revision, new ArrayList<>(range(shelf(type), prefix, "").values()));
        } finally {
            lock.readLock().unlock();
        }
    }

    /// The objects after a path as they were at an earlier revision; empty if that is too long ago.
    public Optional<Page> listAt(ResourceType type, String prefix, String after, long asOf) {
        lock.readLock().lock();
        try {
            Shelf shelf = shelf(type);
            Optional<List<Change>> since = shelf.log.after(asOf, Integer.MAX_VALUE);
            if (since.isEmpty()) {
                return Optional.empty();
            }
            var objects = new TreeMap<>(range(shelf, prefix, after));
            for (Change change : since.get().reversed()) {
                String path = change.object().path();
                if (!path.startsWith(prefix) || path.compareTo(after) <= 0) {
                    continue;
                }
                StoredObject previous = change.previous();
                if (previous == null) {
                    objects.remove(path);
                } else {
                    objects.put(path, previous);
                }
            }
            return Optional.of(new Page(asOf, new ArrayList<>(objects.values())));
        } finally {
            lock.readLock().unlock();
        }
    }

    /// Stores a new object; empty if there is one of that name.
    public Optional<StoredObject> create(Draft draft) {
        return write(Change.Kind.ADDED, draft, null);
    }

    /// Replaces an object; empty if `expected` is not its current state.
    public Optional<StoredObject> replace(StoredObject expected, Draft draft) {
        return write(Change.Kind.MODIFIED, draft, expected);
    }

    private Optional<StoredObject> write(
            Change.Kind kind, Draft draft, @Nullable StoredObject expected) {
        lock.writeLock().lock();
        try {
            Shelf shelf = shelf(draft.type);
            if (shelf.objects.get(draft.path()) != expected) {
                return Optional.empty();
            }
            StoredObject stored = draft.at(revision + 1);
            shelf.objects.put(draft.path(), stored);
            record(shelf, new Change(kind, stored, expected));
            return Optional.of(stored);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /// Removes an object and returns its last state; empty if `expected` is not its current state.
    public Optional<StoredObject> delete(StoredObject expected) {
        lock.writeLock().lock();
        try {
            Shelf shelf = shelf(expected.type());
            if (!shelf.objects.remove(expected.path(), expected)) {
                return Optional.empty();
            }
            StoredObject last = expected.withRevision(revision + 1);
            record(shelf, new Change(Change.Kind.DELETED, last, expected));
            return Optional.of(last);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /// Forgets all history, as a compaction of etcd does: watches from the past get "expired".
    public void compact() {
        lock.writeLock().lock();
        try {
            while (!history.isEmpty()) {
                dropOldest();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /// Wakes every watch, so that those which must end do.
    public void wakeAll() {
        shelves.values().forEach(shelf -> shelf.log.wake());
    }

    @GuardedBy("lock") private void record(Shelf shelf, Change change) {
        shelf.log.append(change);
        history.add(shelf.log);
        historyBytes += change.sizeBytes();
        revision = change.revision();
        while (history.size() > limits.changes()
                || (historyBytes > limits.bytes() && history.size() > 1)) {
            dropOldest();
        }
    }

    @GuardedBy("lock") private void dropOldest() {
        historyBytes -= history.remove().dropFirst().sizeBytes();
    }

    private static NavigableMap<String, StoredObject> range(
            Shelf shelf, String prefix, String after) {
        NavigableMap<String, StoredObject> objects = shelf.objects;
        if (!prefix.isEmpty()) {
            objects = objects.subMap(prefix, true, prefix + Character.MAX_VALUE, false);
        }
        // A path outside of the prefix's range would be refused by the sub-map.
        if (after.startsWith(prefix) && !after.isEmpty()) {
            objects = objects.tailMap(after, false);
        }
        return objects;
    }

    private Shelf shelf(ResourceType type) {
        return shelves.computeIfAbsent(type.qualifiedName(), _ -> new Shelf());
    }
}
