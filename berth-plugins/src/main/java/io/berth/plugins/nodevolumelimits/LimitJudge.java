package io.berth.plugins.nodevolumelimits;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Pod;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Asks the kept counts whether nodes have places for a pod's volumes. Hot: allocates nothing where
/// a node passes.
final class LimitJudge implements SlotJudge {
    private final KeptVolumes kept;
    private final NodeColumns columns;
    private final Predicate<String> mustBeInstalled;
    private final NewVolumes plain;
    // Where drivers stand in for volumes of old.
    private final NewVolumes migrated;
    private final boolean isAlike;
    private final boolean asksForDrivers;

    // Whether every node has room as it is; in thought it may have more pods.
    private final boolean isEasy;

    /// @param mustBeInstalled drivers without which a node does not do
    LimitJudge(Pod pod, KeptVolumes kept, NodeColumns columns, Predicate<String> mustBeInstalled) {
        this.kept = kept;
        this.columns = columns;
        this.mustBeInstalled = mustBeInstalled;
        this.plain = NewVolumes.of(pod, false, kept);
        this.migrated = plain.isWhole() ? plain : NewVolumes.of(pod, true, kept);
        this.isAlike = plain.isWhole() || migrated.equals(plain);
        this.asksForDrivers = asksForDrivers(plain) || !isAlike && asksForDrivers(migrated);
        this.isEasy =
                kept.isClear()
                        && !asksForDrivers
                        && hasRoomEverywhere(plain)
                        && (isAlike || hasRoomEverywhere(migrated));
    }

    private static boolean hasRoomEverywhere(NewVolumes fresh) {
        if (fresh.error() != null || fresh.refusal() != null) {
            return false;
        }
        for (var each : fresh.drivers()) {
            if (!each.column().hasRoomEverywhere(each.count())) {
                return false;
            }
        }
        return true;
    }

    private boolean asksForDrivers(NewVolumes fresh) {
        for (var each : fresh.drivers()) {
            if (mustBeInstalled.test(each.column().name())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean passes(int slot) {
        return isEasy && kept.isKept(slot) || refusal(slot) == null;
    }

    @Override
    public int retain(int[] slots, int count) {
        int passing = 0;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            if (passes(slot)) {
                slots[passing++] = slot;
            }
        }
        return passing;
    }

    /// A volume that is on some node already counts there and not elsewhere, so that nodes differ
    /// in more than their places.
    @Override
    public @Nullable List<SlotTrait> traits() {
        if (isEasy) {
            return List.of();
        }
        var traits = new ArrayList<SlotTrait>();
        boolean isAll =
                kept.isClear()
                        && !asksForDrivers
                        && addRoom(plain, traits)
                        && (isAlike || addRoom(migrated, traits));
        if (!isAlike) {
            traits.add(kept.migrating());
        }
        return isAll ? traits : null;
    }

    private static boolean addRoom(NewVolumes fresh, List<SlotTrait> traits) {
        if (fresh.error() != null || fresh.isShared()) {
            return false;
        }
        for (var each : fresh.drivers()) {
            traits.add(each.column().room(each.count()));
        }
        return true;
    }

    @Override
    public Verdict explain(int slot) {
        var refusal = refusal(slot);
        return refusal == null ? Verdict.PASS : refusal;
    }

    /// For explanations, so this counts anew rather than be quick.
    @Override
    public List<Lack> lacks(int slot) {
        var node = csiNode(slot);
        if (!NodeVolumeLimits.FULL.equals(refusal(slot)) || node == null) {
            return List.of();
        }
        var fresh = isAlike || !isMigrating(slot, kept.isKept(slot)) ? plain : migrated;
        var there = kept.count(columns.node(slot));
        var lacks = new ArrayList<Lack>();
        for (var driver : node.drivers()) {
            long more = more(fresh, driver, there);
            long free = driver.isLimited() ? driver.count() - there.count(driver.name()) : more;
            if (more > free) {
                lacks.add(new Lack("volumes of " + driver.name(), more, free));
            }
        }
        return lacks;
    }

    private @Nullable Refusal refusal(int slot) {
        boolean isKept = kept.isKept(slot);
        var fresh = isAlike || !isMigrating(slot, isKept) ? plain : migrated;
        if (fresh.error() != null) {
            throw new IllegalStateException(fresh.error());
        }
        if (fresh.refusal() != null || fresh.isEmpty()) {
            return fresh.refusal();
        }
        if (asksForDrivers) {
            var missing = missingDriver(fresh, slot);
            if (missing != null) {
                return missing;
            }
        }
        boolean hasRoom = isKept ? hasRoom(fresh, slot) : hasRoomInThought(fresh, slot);
        return hasRoom ? null : NodeVolumeLimits.FULL;
    }

    private boolean isMigrating(int slot, boolean isKept) {
        return isKept ? kept.isMigrating(slot) : csiNode(slot) != null;
    }

    private @Nullable CsiNode csiNode(int slot) {
        return kept.csiNode(columns.node(slot).name());
    }

    private @Nullable Refusal missingDriver(NewVolumes fresh, int slot) {
        var node = csiNode(slot);
        for (var each : fresh.drivers()) {
            String driver = each.column().name();
            if (mustBeInstalled.test(driver) && (node == null || node.driver(driver) == null)) {
                return NodeVolumeLimits.notInstalled(driver);
            }
        }
        return null;
    }

    private boolean hasRoom(NewVolumes fresh, int slot) {
        if (!kept.isLimited(slot)) {
            return true;
        }
        requireClear(kept.problem(slot));
        var drivers = fresh.drivers();
        for (int i = 0; i < drivers.size(); i++) {
            var each = drivers.get(i);
            int more = fresh.isShared() ? notMounted(fresh, each, slot) : each.count();
            if (more > 0 && !each.column().hasRoom(slot, more)) {
                return false;
            }
        }
        return true;
    }

    private int notMounted(NewVolumes fresh, NewVolumes.OfDriver driver, int slot) {
        int more = 0;
        for (var volume : fresh.all()) {
            if (volume.driver().equals(driver.column().name()) && !kept.isMounted(volume, slot)) {
                more++;
            }
        }
        return more;
    }

    /// The same on a node with other pods than it has, by counting.
    private boolean hasRoomInThought(NewVolumes fresh, int slot) {
        var node = csiNode(slot);
        if (node == null || node.drivers().stream().noneMatch(CsiNode.Driver::isLimited)) {
            return true;
        }
        var there = kept.count(columns.node(slot));
        requireClear(there.problem);
        for (var driver : node.drivers()) {
            long more = more(fresh, driver, there);
            if (driver.isLimited()
                    && more > 0
                    && there.count(driver.name()) + more > driver.count()) {
                return false;
            }
        }
        return true;
    }

    private static long more(NewVolumes fresh, CsiNode.Driver driver, SlotVolumes there) {
        return fresh.all().stream()
                .filter(volume -> volume.driver().equals(driver.name()))
                .filter(volume -> !there.isMounted(volume))
                .count();
    }

    private static void requireClear(@Nullable String problem) {
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
    }
}
