package io.berth.engine.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Pods that wait for an event (upstream: the unschedulable pods).
///
/// Pods of one profile that the same plugins refused form a group, so that an event looks at the
/// groups whose plugins it concerns and at no other pod. A group is a linked list through the pods
/// themselves: parking allocates only for a new group.
///
/// Iteration is in the order of parking (upstream: any order). A pod that is parked anew, or whose
/// refusing plugins change, goes to the end.
final class Parked {
    /// What the pods of a group have in common.
    record Key(
            String profile,
            Set<String> unschedulablePlugins,
            Set<String> pendingPlugins,
            String gatingPlugin) {
        static Key of(QueuedPodInfo info) {
            return new Key(
                    info.profile(),
                    info.unschedulablePlugins(),
                    info.pendingPlugins(),
                    info.gatingPlugin());
        }

        /// A key that does not change with the pod it was made for.
        Key copy() {
            return new Key(
                    profile,
                    new LinkedHashSet<>(unschedulablePlugins),
                    new LinkedHashSet<>(pendingPlugins),
                    gatingPlugin);
        }
    }

    /// Pods that the same events concern.
    static final class Group {
        private final Key key;
        private @Nullable QueuedPodInfo first;
        private @Nullable QueuedPodInfo last;
        private int size;

        private Group(Key key) {
            this.key = key;
        }

        /// Any pod of the group: they are all refused by the same plugins.
        QueuedPodInfo example() {
            if (first == null) {
                throw new IllegalStateException("a group without pods: " + key);
            }
            return first;
        }

        private boolean isGated() {
            return !key.gatingPlugin.isEmpty();
        }

        /// Whether a pod of this group still belongs here. While it is parked a plugin may join
        /// those that refuse it, but none leaves.
        private boolean suits(QueuedPodInfo info) {
            return key.gatingPlugin.equals(info.gatingPlugin())
                    && key.profile.equals(info.profile())
                    && key.unschedulablePlugins.size() == info.unschedulablePlugins().size()
                    && key.pendingPlugins.size() == info.pendingPlugins().size();
        }

        private void append(QueuedPodInfo info) {
            info.group = this;
            info.previousParked = last;
            if (last == null) {
                first = info;
            } else {
                last.nextParked = info;
            }
            last = info;
            size++;
        }

        private void unlink(QueuedPodInfo info) {
            var previous = info.previousParked;
            var next = info.nextParked;
            if (previous == null) {
                first = next;
            } else {
                previous.nextParked = next;
            }
            if (next == null) {
                last = previous;
            } else {
                next.previousParked = previous;
            }
            info.group = null;
            info.previousParked = null;
            info.nextParked = null;
            size--;
        }

        void forEach(Consumer<? super QueuedPodInfo> consumer) {
            for (var info = first; info != null; info = info.nextParked) {
                consumer.accept(info);
            }
        }
    }

    private final Map<Key, Group> groups = new LinkedHashMap<>();
    private int size;
    private int gated;
    private long sequence;
    private long oldestMillis = Long.MAX_VALUE;

    int size() {
        return size;
    }

    /// How many of them a PreEnqueue plugin keeps out.
    int gatedCount() {
        return gated;
    }

    /// Parks a pod, or puts a parked one into the group where it now belongs.
    ///
    /// @return whether the pod was not parked before
    boolean put(QueuedPodInfo info) {
        var current = info.group;
        boolean isNew = current == null;
        if (current != null) {
            if (current.suits(info)) {
                return false;
            }
            remove(info);
        }
        if (info.subQueue != SubQueue.OUT) {
            throw new IllegalStateException("pod " + info + " is already in the queue");
        }
        var key = Key.of(info);
        var group = groups.get(key);
        if (group == null) {
            group = new Group(key.copy());
            groups.put(group.key, group);
        }
        info.subQueue = SubQueue.PARKED;
        append(info, group);
        size++;
        gated += group.isGated() ? 1 : 0;
        return isNew;
    }

    private void append(QueuedPodInfo info, Group group) {
        info.parkedSequence = ++sequence;
        group.append(info);
        oldestMillis = Math.min(oldestMillis, info.waitingSinceMillis());
    }

    /// Lets a parked pod be the last of all, as if it had been taken out and parked again.
    void putLast(QueuedPodInfo info) {
        var group = groupOf(info);
        group.unlink(info);
        append(info, group);
    }

    private static Group groupOf(QueuedPodInfo info) {
        var group = info.group;
        if (group == null) {
            throw new IllegalStateException("pod " + info + " is not parked");
        }
        return group;
    }

    void remove(QueuedPodInfo info) {
        var group = groupOf(info);
        group.unlink(info);
        if (group.size == 0) {
            groups.remove(group.key);
        }
        info.subQueue = SubQueue.OUT;
        size--;
        gated -= group.isGated() ? 1 : 0;
    }

    Collection<Group> groups() {
        return groups.values();
    }

    /// The pods of the groups that pass, in the order of parking.
    List<QueuedPodInfo> inOrder(Predicate<? super Group> chosen) {
        var found = new ArrayList<QueuedPodInfo>();
        int groupCount = 0;
        for (var group : groups.values()) {
            if (chosen.test(group)) {
                groupCount++;
                group.forEach(found::add);
            }
        }
        if (groupCount > 1) {
            found.sort(Comparator.comparingLong(info -> info.parkedSequence));
        }
        return found;
    }

    /// No parked pod has waited since before this time. `Long.MAX_VALUE` where none is parked.
    ///
    /// A pod that leaves does not change it, so it may be too early until [#waitingSince] looks.
    long oldestMillis() {
        return size == 0 ? Long.MAX_VALUE : oldestMillis;
    }

    /// The pods that have waited since before a time, in the order of parking.
    List<QueuedPodInfo> waitingSince(long beforeMillis) {
        var found = new ArrayList<QueuedPodInfo>();
        long oldestOfOthers = Long.MAX_VALUE;
        for (var info : inOrder(group -> true)) {
            long since = info.waitingSinceMillis();
            if (since < beforeMillis) {
                found.add(info);
            } else {
                oldestOfOthers = Math.min(oldestOfOthers, since);
            }
        }
        oldestMillis = oldestOfOthers;
        return found;
    }
}
