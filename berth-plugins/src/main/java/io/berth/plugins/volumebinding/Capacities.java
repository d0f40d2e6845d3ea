package io.berth.plugins.volumebinding;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.handle.StateObserver;
import io.berth.api.label.Requirement;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.plugins.volume.NodeQuestion;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How much room for volumes of a class there is, by node (VB-11).
///
/// Goal: one look per node and claim, however many nodes have storage of their own. Layout: most
/// drivers tell room per value of one label (a zone, a host), so capacities are kept by that label
/// and value; the largest limit of each value number is kept until a capacity of that value changes
/// or the columns begin a new epoch. Others are asked one by one.
///
/// Owned by the engine thread.
final class Capacities implements StateObserver {
    private final Map<String, OfClass> classes = new HashMap<>();

    /// The room for one class.
    private static final class OfClass {
        final Map<String, ByLabel> byLabel = new LinkedHashMap<>();
        final Map<String, CsiStorageCapacity> others = new LinkedHashMap<>();
    }

    /// Capacities of one class that name one value of one label each.
    private static final class ByLabel {
        private final Map<String, Map<String, CsiStorageCapacity>> byValue = new HashMap<>();
        private @Nullable CsiStorageCapacity[] largest = new CsiStorageCapacity[0];
        private long[] limits = new long[0];
        private boolean[] isKnown = new boolean[0];
        private int epoch = -1;

        void put(String value, CsiStorageCapacity capacity, LabelColumn column) {
            byValue.computeIfAbsent(value, key -> new LinkedHashMap<>())
                    .put(capacity.key(), capacity);
            forget(value, column);
        }

        void remove(String value, String key, LabelColumn column) {
            byValue.computeIfPresent(
                    value,
                    (_, all) -> {
                        all.remove(key);
                        return all.isEmpty() ? null : all;
                    });
            forget(value, column);
        }

        private void forget(String value, LabelColumn column) {
            int id = column.idOf(value);
            if (id < isKnown.length) {
                isKnown[id] = false;
            }
        }

        void begin(NodeColumns columns, LabelColumn column) {
            if (epoch != columns.epoch()) {
                epoch = columns.epoch();
                largest = new CsiStorageCapacity[0];
                limits = new long[0];
                isKnown = new boolean[0];
            }
            if (isKnown.length < column.idLimit()) {
                largest = Arrays.copyOf(largest, column.idLimit());
                limits = Arrays.copyOf(limits, column.idLimit());
                isKnown = Arrays.copyOf(isKnown, column.idLimit());
            }
        }

        /// The largest one of a value, where it is large enough. Amounts are worked out once.
        @Nullable CsiStorageCapacity at(int id, long bytes, LabelColumn column) {
            if (id == 0) {
                return null;
            }
            if (!isKnown[id]) {
                var found = largestOf(column.value(id));
                largest[id] = found;
                limits[id] = found == null ? -1 : limit(found);
                isKnown[id] = true;
            }
            return limits[id] >= bytes ? largest[id] : null;
        }

        private @Nullable CsiStorageCapacity largestOf(String value) {
            @Nullable CsiStorageCapacity best = null;
            for (var each : byValue.getOrDefault(value, Map.of()).values()) {
                if (limit(each) >= 0 && (best == null || limit(each) > limit(best))) {
                    best = each;
                }
            }
            return best;
        }
    }

    /// The largest volume for which there is room; -1 where that is not known.
    static long limit(CsiStorageCapacity capacity) {
        var limit = capacity.limit();
        return limit == null ? -1 : limit.value();
    }

    private final NodeColumns columns;

    Capacities(NodeColumns columns) {
        this.columns = columns;
    }

    /// Where there is room for one claim, for one attempt.
    interface Room {
        /// A capacity that is large enough for the claim on the node; null where there is none.
        /// Hot.
        @Nullable CsiStorageCapacity at(int slot);

        /// The largest volume for which there is room on the node; -1 where that is not known. For
        /// explanations.
        long most(int slot);
    }

    private static final Room NONE =
            new Room() {
                @Override
                public @Nullable CsiStorageCapacity at(int slot) {
                    return null;
                }

                @Override
                public long most(int slot) {
                    return -1;
                }
            };

    /// @param bytes how much the claim asks for
    Room room(String storageClass, long bytes) {
        var ofClass = classes.get(storageClass);
        return ofClass == null ? NONE : new RoomOfClass(ofClass, bytes);
    }

    /// Room as one class has it.
    private final class RoomOfClass implements Room {
        private final OfClass ofClass;
        private final long bytes;
        private final ByLabel[] groups;
        private final LabelColumn[] labels;
        private final int[][] valueIds;
        private final CsiStorageCapacity[] others;
        private final NodeQuestion[] questions;

        RoomOfClass(OfClass ofClass, long bytes) {
            this.ofClass = ofClass;
            this.bytes = bytes;
            this.groups = ofClass.byLabel.values().toArray(ByLabel[]::new);
            this.labels =
                    ofClass.byLabel.keySet().stream()
                            .map(columns::label)
                            .toArray(LabelColumn[]::new);
            this.valueIds = Arrays.stream(labels).map(LabelColumn::valueIds).toArray(int[][]::new);
            for (int i = 0; i < groups.length; i++) {
                groups[i].begin(columns, labels[i]);
            }
            this.others =
                    ofClass.others.values().stream()
                            .filter(each -> limit(each) >= bytes)
                            .toArray(CsiStorageCapacity[]::new);
            this.questions =
                    Arrays.stream(others)
                            .map(each -> NodeQuestion.of(each.nodeTopology(), columns))
                            .toArray(NodeQuestion[]::new);
        }

        @Override
        public @Nullable CsiStorageCapacity at(int slot) {
            for (int i = 0; i < groups.length; i++) {
                var largest = groups[i].at(valueIds[i][slot], bytes, labels[i]);
                if (largest != null) {
                    return largest;
                }
            }
            for (int i = 0; i < others.length; i++) {
                if (questions[i].matches(slot)) {
                    return others[i];
                }
            }
            return null;
        }

        @Override
        public long most(int slot) {
            long most = -1;
            for (int i = 0; i < groups.length; i++) {
                var largest = groups[i].at(valueIds[i][slot], 0, labels[i]);
                most = largest == null ? most : Math.max(most, limit(largest));
            }
            for (var other : ofClass.others.values()) {
                if (limit(other) > most
                        && NodeQuestion.of(other.nodeTopology(), columns).matches(slot)) {
                    most = limit(other);
                }
            }
            return most;
        }
    }

    @Override
    public void podAdded(Pod pod, int slot) {}

    @Override
    public void podRemoved(Pod pod, int slot) {}

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {}

    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        if (before instanceof CsiStorageCapacity old) {
            remove(old);
        }
        if (after instanceof CsiStorageCapacity now) {
            put(now);
        }
    }

    private void put(CsiStorageCapacity capacity) {
        var ofClass = classes.computeIfAbsent(capacity.storageClass(), key -> new OfClass());
        var single = single(capacity);
        if (single == null) {
            ofClass.others.put(capacity.key(), capacity);
        } else {
            ofClass.byLabel
                    .computeIfAbsent(single.key(), key -> new ByLabel())
                    .put(single.values().getFirst(), capacity, columns.label(single.key()));
        }
    }

    private void remove(CsiStorageCapacity capacity) {
        var ofClass = classes.get(capacity.storageClass());
        if (ofClass == null) {
            return;
        }
        var single = single(capacity);
        var group = single == null ? null : ofClass.byLabel.get(single.key());
        if (single == null || group == null) {
            ofClass.others.remove(capacity.key());
        } else {
            group.remove(single.values().getFirst(), capacity.key(), columns.label(single.key()));
        }
    }

    /// The one value of one label that a capacity names; null where it says something else.
    private static @Nullable Requirement single(CsiStorageCapacity capacity) {
        var selector = capacity.nodeTopology();
        if (selector.matchesNothing()
                || selector.problem() != null
                || selector.requirements().size() != 1) {
            return null;
        }
        var only = selector.requirements().getFirst();
        boolean isOne = only.operator() == Requirement.Operator.IN && only.values().size() == 1;
        return isOne ? only : null;
    }
}
