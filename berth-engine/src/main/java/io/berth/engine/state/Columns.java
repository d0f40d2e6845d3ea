package io.berth.engine.state;

import io.berth.api.amount.Resources;
import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.column.ScalarColumn;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.spec.PodRequests;
import io.berth.api.spec.Taint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The columns as plain arrays, all of one length.
///
/// Columns of labels and scalar resources are made when first asked for, by the engine thread, and
/// kept current from then on. Everything that would make a number or an array mean something else
/// (growth, giving the numbers of vanished values again, dropping resources that nobody has) starts
/// a new epoch. A column that nobody but a question has read yet does not count for the epoch of
/// what attempts keep, so that they judge anew the same slots whether or not somebody asked in
/// between. Workers may write their own scratch slots at the same time: elements are disjoint, and
/// the words of the one bit set are written atomically.
final class Columns implements NodeColumns {
    /// How many columns are kept for pods that ask for resources that no node has.
    static final int EMPTY_SCALARS_KEPT = 128;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final Slots slots;
    private final Map<String, LabelValues> labels = new HashMap<>();
    private final Map<String, ScalarColumn> scalars = new HashMap<>();
    // Those made for the question that is being answered.
    private final Set<String> askedScalars = new HashSet<>();
    private final Interner<List<Taint>> taintSets = new Interner<>(List.of());
    private int[] zeros;
    private int epoch;
    private int keptEpoch;
    private boolean isQuestion;
    private int scalarsAfterTidying;

    private long[] allocatableCpuMillis;
    private long[] allocatableMemoryBytes;
    private long[] allocatableEphemeralBytes;
    private long[] allocatablePods;
    private long[] requestedCpuMillis;
    private long[] requestedMemoryBytes;
    private long[] requestedEphemeralBytes;
    private long[] nonZeroCpuMillis;
    private long[] nonZeroMemoryBytes;
    private int[] podCounts;
    private int[] taintSetIds;
    private long[] unschedulable;

    Columns(Slots slots) {
        this.slots = slots;
        int limit = slots.limit();
        zeros = new int[limit];
        allocatableCpuMillis = new long[limit];
        allocatableMemoryBytes = new long[limit];
        allocatableEphemeralBytes = new long[limit];
        allocatablePods = new long[limit];
        requestedCpuMillis = new long[limit];
        requestedMemoryBytes = new long[limit];
        requestedEphemeralBytes = new long[limit];
        nonZeroCpuMillis = new long[limit];
        nonZeroMemoryBytes = new long[limit];
        podCounts = new int[limit];
        taintSetIds = new int[limit];
        unschedulable = new long[words(limit)];
    }

    @Override
    public int epoch() {
        return epoch;
    }

    @Override
    public int limit() {
        return slots.limit();
    }

    @Override
    public int nodeCount() {
        return slots.nodeCount();
    }

    @Override
    public NodeView node(int slot) {
        return slots.get(slot);
    }

    @Override
    public boolean holdsNode(int slot) {
        var place = slots.at(slot);
        return place != null && slotOf(place.name()) == slot;
    }

    @Override
    public int slotOf(String nodeName) {
        var place = slots.find(nodeName);
        return place == null || place.isGhost() ? -1 : place.slot();
    }

    @Override
    public long[] allocatableCpuMillis() {
        return allocatableCpuMillis;
    }

    @Override
    public long[] allocatableMemoryBytes() {
        return allocatableMemoryBytes;
    }

    @Override
    public long[] allocatableEphemeralBytes() {
        return allocatableEphemeralBytes;
    }

    @Override
    public long[] allocatablePods() {
        return allocatablePods;
    }

    @Override
    public long[] requestedCpuMillis() {
        return requestedCpuMillis;
    }

    @Override
    public long[] requestedMemoryBytes() {
        return requestedMemoryBytes;
    }

    @Override
    public long[] requestedEphemeralBytes() {
        return requestedEphemeralBytes;
    }

    @Override
    public long[] nonZeroCpuMillis() {
        return nonZeroCpuMillis;
    }

    @Override
    public long[] nonZeroMemoryBytes() {
        return nonZeroMemoryBytes;
    }

    @Override
    public int[] podCounts() {
        return podCounts;
    }

    @Override
    public int[] taintSetIds() {
        return taintSetIds;
    }

    @Override
    public List<Taint> taints(int taintSetId) {
        return taintSets.value(taintSetId);
    }

    @Override
    public int taintSetLimit() {
        return taintSets.limit();
    }

    @Override
    public boolean isTaintSet(int id) {
        return taintSets.isGiven(id);
    }

    @Override
    public long[] unschedulable() {
        return unschedulable;
    }

    @Override
    public ScalarColumn scalar(String resource) {
        var known = scalars.get(resource);
        if (known == null) {
            known = newScalar(resource);
            scalars.put(resource, known);
            if (isQuestion) {
                askedScalars.add(resource);
            }
        }
        return known;
    }

    @Override
    public LabelColumn label(String key) {
        var known = labels.get(key);
        if (known == null) {
            known = newLabel(key, !isQuestion);
            labels.put(key, known);
        } else if (!isQuestion && known.read(zeros)) {
            epoch++;
        }
        return known;
    }

    /// From here on, or until here, columns are read for a question alone.
    void question(boolean begins) {
        isQuestion = begins;
        if (!begins) {
            scalars.keySet().removeAll(askedScalars);
            askedScalars.clear();
        }
    }

    /// Grows when results that attempts keep may be out of date.
    int keptEpoch() {
        return keptEpoch;
    }

    private void beginEpoch(boolean concernsAttempts) {
        epoch++;
        if (concernsAttempts) {
            keptEpoch++;
        }
    }

    /// Adds (sign 1) or takes away (sign -1) what a pod counts for.
    void sum(int slot, PodRequests requests, int sign) {
        var exact = requests.exact();
        requestedCpuMillis[slot] += sign * exact.cpuMillis();
        requestedMemoryBytes[slot] += sign * exact.memoryBytes();
        requestedEphemeralBytes[slot] += sign * exact.ephemeralBytes();
        nonZeroCpuMillis[slot] += sign * requests.nonZeroCpuMillis();
        nonZeroMemoryBytes[slot] += sign * requests.nonZeroMemoryBytes();
        podCounts[slot] += sign;
        if (!exact.scalars().isEmpty()) {
            exact.scalars()
                    .forEach((resource, amount) -> {
                        var column = scalars.get(resource);
                        if (column != null) {
                            column.requested()[slot] += sign * amount;
                        }
                    });
        }
    }

    /// The node in a slot came, changed or went.
    void changeNode(int slot, @Nullable Node before, @Nullable Node after) {
        changeAllocatable(
                slot,
                before == null ? Resources.NONE : before.allocatable(),
                after == null ? Resources.NONE : after.allocatable());
        changeTaints(slot, after == null ? List.of() : after.taints());
        setBit(unschedulable, slot, after != null && after.unschedulable());
        changeLabels(
                slot,
                before == null ? Labels.EMPTY : before.labels(),
                after == null ? Labels.EMPTY : after.labels());
    }

    private void changeAllocatable(int slot, Resources before, Resources after) {
        allocatableCpuMillis[slot] = after.cpuMillis();
        allocatableMemoryBytes[slot] = after.memoryBytes();
        allocatableEphemeralBytes[slot] = after.ephemeralBytes();
        allocatablePods[slot] = after.pods();
        if (scalars.isEmpty()) {
            return;
        }
        for (var resource : before.scalars().keySet()) {
            var column = scalars.get(resource);
            if (column != null) {
                column.allocatable()[slot] = 0;
            }
        }
        after.scalars()
                .forEach((resource, amount) -> {
                    var column = scalars.get(resource);
                    if (column != null) {
                        column.allocatable()[slot] = amount;
                    }
                });
    }

    private void changeTaints(int slot, List<Taint> after) {
        int before = taintSetIds[slot];
        if (!taintSets.value(before).equals(after)) {
            taintSetIds[slot] = after.isEmpty() ? Interner.NONE : taintSets.acquire(after);
            taintSets.release(before);
        }
    }

    private void changeLabels(int slot, Labels before, Labels after) {
        if (labels.isEmpty() || before.equals(after)) {
            return;
        }
        before.forEach((key, value) -> {
            var column = labels.get(key);
            if (column != null && !after.has(key)) {
                column.set(slot, null); // it had a value, so the array is the column's own
            }
        });
        after.forEach((key, value) -> {
            var column = labels.get(key);
            if (column != null) {
                if (column.own()) {
                    beginEpoch(column.isRead());
                }
                column.set(slot, value);
            }
        });
    }

    /// Makes a scratch slot equal to another slot.
    void copy(int from, int scratch) {
        allocatableCpuMillis[scratch] = allocatableCpuMillis[from];
        allocatableMemoryBytes[scratch] = allocatableMemoryBytes[from];
        allocatableEphemeralBytes[scratch] = allocatableEphemeralBytes[from];
        allocatablePods[scratch] = allocatablePods[from];
        requestedCpuMillis[scratch] = requestedCpuMillis[from];
        requestedMemoryBytes[scratch] = requestedMemoryBytes[from];
        requestedEphemeralBytes[scratch] = requestedEphemeralBytes[from];
        nonZeroCpuMillis[scratch] = nonZeroCpuMillis[from];
        nonZeroMemoryBytes[scratch] = nonZeroMemoryBytes[from];
        podCounts[scratch] = podCounts[from];
        taintSetIds[scratch] = taintSetIds[from];
        setBit(unschedulable, scratch, isSet(unschedulable, from));
        for (var column : labels.values()) {
            column.copy(from, scratch);
        }
        for (var column : scalars.values()) {
            column.allocatable()[scratch] = column.allocatable()[from];
            column.requested()[scratch] = column.requested()[from];
        }
    }

    /// Gives up what nothing uses any more, once there is much of it. Starts a new epoch then.
    void tidy() {
        if (taintSets.hasManyDead()) {
            taintSets.reuseDead();
            beginEpoch(true);
        }
        for (var column : labels.values()) {
            if (column.hasManyDead()) {
                column.reuseDead();
                beginEpoch(column.isRead());
            }
        }
        // Looking for empty columns reads them all, so it waits until many have come.
        if (scalars.size() > scalarsAfterTidying + EMPTY_SCALARS_KEPT) {
            if (scalars.values().removeIf(Columns::isEmpty)) {
                beginEpoch(true);
            }
            scalarsAfterTidying = scalars.size();
        }
    }

    /// Brings all arrays to the length of the slots' limit; the first `keep` elements stay.
    void resize(int keep) {
        int limit = slots.limit();
        allocatableCpuMillis = resized(allocatableCpuMillis, keep, limit);
        allocatableMemoryBytes = resized(allocatableMemoryBytes, keep, limit);
        allocatableEphemeralBytes = resized(allocatableEphemeralBytes, keep, limit);
        allocatablePods = resized(allocatablePods, keep, limit);
        requestedCpuMillis = resized(requestedCpuMillis, keep, limit);
        requestedMemoryBytes = resized(requestedMemoryBytes, keep, limit);
        requestedEphemeralBytes = resized(requestedEphemeralBytes, keep, limit);
        nonZeroCpuMillis = resized(nonZeroCpuMillis, keep, limit);
        nonZeroMemoryBytes = resized(nonZeroMemoryBytes, keep, limit);
        podCounts = resized(podCounts, keep, limit);
        taintSetIds = resized(taintSetIds, keep, limit);
        unschedulable = resizedBits(unschedulable, keep, limit);
        zeros = new int[limit];
        labels.values().forEach(column -> column.resize(keep, zeros));
        scalars.replaceAll((resource, column) ->
                new ScalarColumn(
                        resized(column.allocatable(), keep, limit),
                        resized(column.requested(), keep, limit)));
        beginEpoch(true);
    }

    void forEachLabel(BiConsumer<String, LabelColumn> consumer) {
        labels.forEach(consumer);
    }

    void forEachScalar(BiConsumer<String, ScalarColumn> consumer) {
        scalars.forEach(consumer);
    }

    private LabelValues newLabel(String key, boolean isRead) {
        var column = new LabelValues(zeros, isRead);
        for (int slot = 0; slot < slots.limit(); slot++) {
            var value = labelOf(slot, key);
            if (value == null) {
                continue;
            }
            column.own();
            if (slot < slots.capacity()) {
                column.set(slot, value);
            } else {
                column.setUncounted(slot, value);
            }
        }
        return column;
    }

    private @Nullable String labelOf(int slot, String key) {
        var place = slots.at(slot);
        var node = place == null ? null : place.nodeOrNull();
        return node == null ? null : node.labels().value(key);
    }

    private ScalarColumn newScalar(String resource) {
        var column = new ScalarColumn(new long[slots.limit()], new long[slots.limit()]);
        for (int slot = 0; slot < slots.limit(); slot++) {
            var place = slots.at(slot);
            if (place != null) {
                var node = place.nodeOrNull();
                column.allocatable()[slot] = node == null ? 0 : node.allocatable().scalar(resource);
                column.requested()[slot] = place.requestedScalar(resource);
            }
        }
        return column;
    }

    private static boolean isEmpty(ScalarColumn column) {
        return Arrays.stream(column.allocatable()).allMatch(amount -> amount == 0)
                && Arrays.stream(column.requested()).allMatch(amount -> amount == 0);
    }

    static boolean isSet(long[] bits, int slot) {
        return (bits[slot >>> 6] >>> slot & 1) != 0;
    }

    private static void setBit(long[] bits, int slot, boolean value) {
        if (isSet(bits, slot) == value) {
            return;
        }
        if (value) {
            WORD.getAndBitwiseOr(bits, slot >>> 6, 1L << slot);
        } else {
            WORD.getAndBitwiseAnd(bits, slot >>> 6, ~(1L << slot));
        }
    }

    private static int words(int bits) {
        return (bits + 63) >>> 6;
    }

    static long[] resized(long[] array, int keep, int limit) {
        var result = new long[limit];
        System.arraycopy(array, 0, result, 0, keep);
        return result;
    }

    static int[] resized(int[] array, int keep, int limit) {
        var result = new int[limit];
        System.arraycopy(array, 0, result, 0, keep);
        return result;
    }

    private static long[] resizedBits(long[] bits, int keep, int limit) {
        var result = new long[words(limit)];
        for (int slot = 0; slot < keep; slot++) {
            setBit(result, slot, isSet(bits, slot));
        }
        return result;
    }
}
