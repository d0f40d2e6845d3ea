package io.berth.plugins.volumebinding;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.label.Requirement;
import io.berth.api.model.PersistentVolume;
import io.berth.api.spec.NodeSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The volumes that nobody has claimed, in truth or in thought, by class, the smallest first
/// (VB-9).
///
/// Goal: a claim that looks for its volume costs no more than the volumes that the asked nodes
/// have, however many there are in all. Layout: volumes that name one value of one label each, as
/// local ones name their host, are kept by that label and value; the list of each value number is
/// kept until the columns begin a new epoch. All others are kept in one list per class.
///
/// Owned by the engine thread.
final class FreeVolumes {
    static final Comparator<PersistentVolume> SMALLEST_FIRST =
            Comparator.comparing(PersistentVolume::capacity).thenComparing(PersistentVolume::name);

    private final Map<String, OfClass> classes = new HashMap<>();

    /// The free volumes of one class.
    static final class OfClass {
        private final Map<String, ByLabel> byLabel = new LinkedHashMap<>();
        private final List<PersistentVolume> others = new ArrayList<>();

        /// Those that one label's value decides about, by label.
        Map<String, ByLabel> byLabel() {
            return byLabel;
        }

        /// All others in order of size.
        List<PersistentVolume> others() {
            return others;
        }

        private boolean isEmpty() {
            return byLabel.isEmpty() && others.isEmpty();
        }
    }

    /// Volumes that name one value of one label each.
    static final class ByLabel {
        private final Map<String, List<PersistentVolume>> byValue = new HashMap<>();

        /// By number of the value; null where it is not known yet.
        private @Nullable List<PersistentVolume>[] byId = none();

        private int epoch = -1;

        @SuppressWarnings("unchecked")
        private static @Nullable List<PersistentVolume>[] none() {
            return (@Nullable List<PersistentVolume>[]) new @Nullable List<?>[0];
        }

        /// Makes ready for questions about the nodes as they are numbered now.
        void begin(NodeColumns columns, LabelColumn column) {
            if (epoch != columns.epoch()) {
                epoch = columns.epoch();
                byId = none();
            }
            if (byId.length < column.idLimit()) {
                byId = Arrays.copyOf(byId, column.idLimit());
            }
        }

        /// Those of a value, by its number, in order of size. Hot.
        List<PersistentVolume> of(int id, LabelColumn column) {
            if (id == 0) {
                return List.of();
            }
            var found = byId[id];
            if (found == null) {
                found = byValue.getOrDefault(column.value(id), List.of());
                byId[id] = found;
            }
            return found;
        }

        private void put(String value, PersistentVolume volume, LabelColumn column) {
            insert(
                    byValue.computeIfAbsent(
                            value,
                            key -> {
                                forget(value, column);
                                return new ArrayList<>(2);
                            }),
                    volume);
        }

        private void remove(String value, PersistentVolume volume, LabelColumn column) {
            var all = byValue.get(value);
            if (all != null && delete(all, volume) && all.isEmpty()) {
                byValue.remove(value);
                forget(value, column);
            }
        }

        private void forget(String value, LabelColumn column) {
            int id = column.idOf(value);
            if (id >= 0 && id < byId.length) {
                byId[id] = null;
            }
        }
    }

    private static void insert(List<PersistentVolume> sorted, PersistentVolume volume) {
        int at = Collections.binarySearch(sorted, volume, SMALLEST_FIRST);
        if (at >= 0) {
            sorted.set(at, volume);
        } else {
            sorted.add(-at - 1, volume);
        }
    }

    private static boolean delete(List<PersistentVolume> sorted, PersistentVolume volume) {
        int at = Collections.binarySearch(sorted, volume, SMALLEST_FIRST);
        if (at >= 0) {
            sorted.remove(at);
        }
        return at >= 0;
    }

    private final NodeColumns columns;

    FreeVolumes(NodeColumns columns) {
        this.columns = columns;
    }

    /// The free volumes of a class; null where there are none.
    @Nullable OfClass ofClass(String name) {
        return classes.get(name);
    }

    void change(@Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        if (before != null && before.claim() == null) {
            remove(before);
        }
        if (after != null && after.claim() == null) {
            put(after);
        }
    }

    private void put(PersistentVolume volume) {
        var ofClass = classes.computeIfAbsent(volume.storageClass(), key -> new OfClass());
        var single = single(volume.nodeAffinity());
        if (single == null) {
            insert(ofClass.others, volume);
        } else {
            ofClass.byLabel
                    .computeIfAbsent(single.key(), key -> new ByLabel())
                    .put(single.values().getFirst(), volume, columns.label(single.key()));
        }
    }

    private void remove(PersistentVolume volume) {
        var ofClass = classes.get(volume.storageClass());
        if (ofClass == null) {
            return;
        }
        var single = single(volume.nodeAffinity());
        if (single == null) {
            delete(ofClass.others, volume);
        } else {
            var group = ofClass.byLabel.get(single.key());
            if (group != null) {
                group.remove(single.values().getFirst(), volume, columns.label(single.key()));
                if (group.byValue.isEmpty()) {
                    ofClass.byLabel.remove(single.key());
                }
            }
        }
        if (ofClass.isEmpty()) {
            classes.remove(volume.storageClass());
        }
    }

    /// The one value of one label that an affinity names; null where it says something else.
    private static @Nullable Requirement single(@Nullable NodeSelector affinity) {
        if (affinity == null || affinity.terms().size() != 1) {
            return null;
        }
        var term = affinity.terms().getFirst();
        if (!term.fields().isEmpty() || term.expressions().size() != 1 || !term.isSound()) {
            return null;
        }
        var only = term.expressions().getFirst();
        boolean isOne = only.operator() == Requirement.Operator.IN && only.values().size() == 1;
        return isOne ? only : null;
    }
}
