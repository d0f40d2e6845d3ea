package io.berth.plugins.noderesources;

import io.berth.api.amount.ResourceName;
import io.berth.api.amount.Resources;
import io.berth.api.column.NodeColumns;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Refusal.Remedy;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.device.ExtendedClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Whether a node has room for a pod's request: a free place, and enough of every resource that the
/// pod asks for.
final class FitJudge implements SlotJudge {
    private static final String TOO_MANY_PODS = "Too many pods";

    /// For how many resources a number of 64 bits tells shortages apart.
    private static final int MOST_TOLD_APART = 62;

    private final long[] allocatablePods;
    private final int[] podCounts;
    private final String[] names;
    private final long[] asked;
    private final long[][] allocatable;
    private final long[][] requested;
    // Workers may ask for explanations at the same time.
    private final Map<Long, Refusal> refusals = new ConcurrentHashMap<>();

    /// Null where no class of devices stands for a resource.
    private final @Nullable ExtendedClasses classes;

    /// @param classes read each time, since they come and go
    FitJudge(
            Resources request,
            FitArguments arguments,
            NodeColumns columns,
            @Nullable ExtendedClasses classes) {
        this.classes = classes;
        allocatablePods = columns.allocatablePods();
        podCounts = columns.podCounts();
        var names = new ArrayList<String>();
        var asked = new ArrayList<Long>();
        var allocatable = new ArrayList<long[]>();
        var requested = new ArrayList<long[]>();
        if (request.cpuMillis() > 0) {
            names.add(Resources.CPU);
            asked.add(request.cpuMillis());
            allocatable.add(columns.allocatableCpuMillis());
            requested.add(columns.requestedCpuMillis());
        }
        if (request.memoryBytes() > 0) {
            names.add(Resources.MEMORY);
            asked.add(request.memoryBytes());
            allocatable.add(columns.allocatableMemoryBytes());
            requested.add(columns.requestedMemoryBytes());
        }
        if (request.ephemeralBytes() > 0) {
            names.add(Resources.EPHEMERAL_STORAGE);
            asked.add(request.ephemeralBytes());
            allocatable.add(columns.allocatableEphemeralBytes());
            requested.add(columns.requestedEphemeralBytes());
        }
        request.scalars()
                .forEach((name, amount) -> {
                    if (amount != 0 && !isIgnored(name, arguments)) {
                        var column = columns.scalar(name);
                        names.add(name);
                        asked.add(amount);
                        allocatable.add(column.allocatable());
                        requested.add(column.requested());
                    }
                });
        this.names = names.toArray(String[]::new);
        this.asked = new long[asked.size()];
        for (int i = 0; i < this.asked.length; i++) {
            this.asked[i] = asked.get(i);
        }
        this.allocatable = allocatable.toArray(long[][]::new);
        this.requested = requested.toArray(long[][]::new);
    }

    private static boolean isIgnored(String name, FitArguments arguments) {
        if (!ResourceName.isExtended(name)) {
            return false;
        }
        return arguments.ignoredResources().contains(name)
                || arguments.ignoredResourceGroups().contains(name.substring(0, name.indexOf('/')));
    }

    @Override
    public boolean passes(int slot) {
        if (isFull(slot)) {
            return false;
        }
        for (int i = 0; i < asked.length; i++) {
            if (isShort(i, slot)) {
                return false;
            }
        }
        return true;
    }

    /// Where a node offers none of a resource for which devices stand, these are looked for
    /// elsewhere (NF-6).
    private boolean isShort(int resource, int slot) {
        long has = allocatable[resource][slot];
        return asked[resource] > has - requested[resource][slot]
                && (has != 0 || classes == null || classes.of(names[resource]) == null);
    }

    /// Names every shortage. What exceeds the whole node cannot be helped by evicting pods.
    ///
    /// Thousands of nodes lack the same things, so equal refusals are one object.
    @Override
    public Verdict explain(int slot) {
        if (passes(slot)) {
            return Verdict.PASS;
        }
        return asked.length > MOST_TOLD_APART
                ? refusal(slot)
                : refusals.computeIfAbsent(shortage(slot), _ -> refusal(slot));
    }

    /// Bit 0: whether nothing helps; bit 1: places; bit i + 2: the i-th resource.
    private long shortage(int slot) {
        long missing = isFull(slot) ? 2 : 0;
        for (int i = 0; i < asked.length; i++) {
            if (isShort(i, slot)) {
                missing |= 4L << i | (isTooMuch(i, slot) ? 1 : 0);
            }
        }
        return missing;
    }

    private boolean isFull(int slot) {
        return podCounts[slot] + 1L > allocatablePods[slot];
    }

    private boolean isTooMuch(int resource, int slot) {
        return asked[resource] > allocatable[resource][slot];
    }

    @Override
    public List<Lack> lacks(int slot) {
        var lacks = new ArrayList<Lack>();
        if (isFull(slot)) {
            lacks.add(new Lack("pods", 1, allocatablePods[slot] - podCounts[slot]));
        }
        for (int i = 0; i < asked.length; i++) {
            long free = allocatable[i][slot] - requested[i][slot];
            if (isShort(i, slot)) {
                lacks.add(new Lack(names[i], asked[i], free));
            }
        }
        return lacks;
    }

    private Refusal refusal(int slot) {
        List<String> reasons = new ArrayList<>();
        boolean isHopeless = false;
        if (isFull(slot)) {
            reasons.add(TOO_MANY_PODS);
        }
        for (int i = 0; i < asked.length; i++) {
            if (isShort(i, slot)) {
                reasons.add("Insufficient " + names[i]);
                isHopeless |= isTooMuch(i, slot);
            }
        }
        return new Refusal(reasons, isHopeless ? Remedy.NOTHING_HELPS : Remedy.PREEMPTION_MAY_HELP);
    }
}
