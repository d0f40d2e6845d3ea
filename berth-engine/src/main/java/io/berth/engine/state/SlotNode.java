package io.berth.engine.state;

import io.berth.api.amount.Resources;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.Volume;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is in one slot: a node and its pods; or pods alone, of a node that is not known (yet, or
/// any more): a *ghost*. Sums live in the columns, everything else here, allocated when first
/// needed.
final class SlotNode implements NodeView {
    private final Columns columns;
    private final ImageTable imageTable;
    private final int slot;
    private String name;
    private @Nullable Node node;
    private @Nullable PodList pods;
    private @Nullable PodList withAffinity;
    private @Nullable PodList withRequiredAntiAffinity;
    private @Nullable Set<HostPort> ports;
    private @Nullable Map<String, Integer> claims;
    private @Nullable Map<String, Long> scalars;
    private ImageTable.Held held = ImageTable.Held.NONE;

    SlotNode(Columns columns, ImageTable imageTable, int slot, String name) {
        this.columns = columns;
        this.imageTable = imageTable;
        this.slot = slot;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Node node() {
        var known = node;
        if (known == null) {
            throw new IllegalStateException("node " + name + " is not known, only pods on it");
        }
        return known;
    }

    @Nullable Node nodeOrNull() {
        return node;
    }

    boolean isGhost() {
        return node == null;
    }

    boolean isEmpty() {
        return pods == null;
    }

    void node(@Nullable Node value) {
        node = value;
    }

    @Override
    public List<Pod> pods() {
        return pods == null ? List.of() : pods;
    }

    @Override
    public List<Pod> podsWithAffinity() {
        return withAffinity == null ? List.of() : withAffinity;
    }

    @Override
    public List<Pod> podsWithRequiredAntiAffinity() {
        return withRequiredAntiAffinity == null ? List.of() : withRequiredAntiAffinity;
    }

    @Override
    public Resources requested() {
        return new Resources(
                columns.requestedCpuMillis()[slot],
                columns.requestedMemoryBytes()[slot],
                columns.requestedEphemeralBytes()[slot],
                0,
                scalars == null ? Map.of() : scalars);
    }

    @Override
    public long nonZeroCpuMillis() {
        return columns.nonZeroCpuMillis()[slot];
    }

    @Override
    public long nonZeroMemoryBytes() {
        return columns.nonZeroMemoryBytes()[slot];
    }

    @Override
    public Collection<HostPort> usedPorts() {
        return ports == null ? List.of() : Collections.unmodifiableSet(ports);
    }

    @Override
    public Map<String, ImageState> images() {
        return held.isEmpty() ? Map.of() : imageTable.statesOf(held);
    }

    ImageTable.Held held() {
        return held;
    }

    void held(ImageTable.Held value) {
        held = value;
    }

    @Override
    public boolean usesClaim(String claimKey) {
        return claims != null && claims.containsKey(claimKey);
    }

    /// How many volumes of pods here refer to each claim, by `namespace/name`.
    Map<String, Integer> claims() {
        return claims == null ? Map.of() : claims;
    }

    long requestedScalar(String resource) {
        return scalars == null ? 0 : scalars.getOrDefault(resource, 0L);
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public NodeColumns columns() {
        return columns;
    }

    void add(Pod pod) {
        pods = appended(pods, pod);
        if (hasAffinity(pod)) {
            withAffinity = appended(withAffinity, pod);
        }
        if (hasRequiredAntiAffinity(pod)) {
            withRequiredAntiAffinity = appended(withRequiredAntiAffinity, pod);
        }
        occupy(pod);
        for (var volume : pod.spec().volumes()) {
            if (volume.source() instanceof Volume.Claim claim) {
                count(claimKey(pod, claim), 1);
            }
        }
        sum(pod, 1);
    }

    /// Takes the pod of this uid away and returns the object that was held for it.
    Pod remove(Pod pod) {
        int index = pods == null ? -1 : pods.find(pod);
        if (pods == null || index < 0) {
            throw new StateException(
                    "no corresponding pod " + pod.name() + " in pods of node " + name);
        }
        var removed = pods.removeAt(index);
        pods = orNull(pods);
        withAffinity = without(withAffinity, removed);
        withRequiredAntiAffinity = without(withRequiredAntiAffinity, removed);
        vacate(removed);
        for (var volume : removed.spec().volumes()) {
            if (volume.source() instanceof Volume.Claim claim) {
                count(claimKey(removed, claim), -1);
            }
        }
        sum(removed, -1);
        return removed;
    }

    /// Becomes a copy of another slot, columns included.
    void copyOf(SlotNode other) {
        name = other.name;
        node = other.node;
        pods = copy(other.pods);
        withAffinity = copy(other.withAffinity);
        withRequiredAntiAffinity = copy(other.withRequiredAntiAffinity);
        ports = other.ports == null ? null : new HashSet<>(other.ports);
        claims = other.claims == null ? null : new HashMap<>(other.claims);
        scalars = other.scalars == null ? null : new HashMap<>(other.scalars);
        held = other.held;
        columns.copy(other.slot, slot);
    }

    /// Lets go of everything but the columns, which the next copy overwrites.
    void clear() {
        name = "";
        node = null;
        pods = null;
        withAffinity = null;
        withRequiredAntiAffinity = null;
        ports = null;
        claims = null;
        scalars = null;
        held = ImageTable.Held.NONE;
    }

    static boolean hasAffinity(Pod pod) {
        return pod.spec().affinity().hasPodAffinity();
    }

    static boolean hasRequiredAntiAffinity(Pod pod) {
        return !pod.spec().affinity().requiredAntiPods().isEmpty();
    }

    static String claimKey(Pod pod, Volume.Claim claim) {
        return pod.namespace() + "/" + claim.claimName();
    }

    private void occupy(Pod pod) {
        var wanted = pod.spec().hostPorts();
        if (!wanted.isEmpty()) {
            if (ports == null) {
                ports = HashSet.newHashSet(wanted.size());
            }
            ports.addAll(wanted);
        }
    }

    /// Ports are a set, not counted: where two pods have the same port, the first to leave frees it
    /// (E-12).
    private void vacate(Pod pod) {
        var freed = pod.spec().hostPorts();
        if (ports != null && !freed.isEmpty()) {
            for (var port : freed) {
                ports.remove(port);
            }
            ports = ports.isEmpty() ? null : ports;
        }
    }

    private void count(String claim, int change) {
        if (claims == null) {
            claims = HashMap.newHashMap(1);
        }
        int references = claims.getOrDefault(claim, 0) + change;
        if (references > 0) {
            claims.put(claim, references);
        } else {
            claims.remove(claim);
        }
        claims = claims.isEmpty() ? null : claims;
    }

    private void sum(Pod pod, int sign) {
        var requests = pod.requests();
        columns.sum(slot, requests, sign);
        var more = requests.exact().scalars();
        if (more.isEmpty()) {
            return;
        }
        var sums = scalars == null ? new HashMap<String, Long>() : scalars;
        more.forEach((resource, amount) -> {
            long sum = sums.getOrDefault(resource, 0L) + sign * amount;
            if (sum == 0) {
                sums.remove(resource);
            } else {
                sums.put(resource, sum);
            }
        });
        scalars = sums.isEmpty() ? null : sums;
    }

    private static PodList appended(@Nullable PodList list, Pod pod) {
        var result = list == null ? new PodList() : list;
        result.append(pod);
        return result;
    }

    private static @Nullable PodList without(@Nullable PodList list, Pod pod) {
        if (list == null) {
            return null;
        }
        int index = list.find(pod);
        if (index >= 0) {
            list.removeAt(index);
        }
        return orNull(list);
    }

    private static @Nullable PodList orNull(PodList list) {
        return list.isEmpty() ? null : list;
    }

    private static @Nullable PodList copy(@Nullable PodList list) {
        return list == null ? null : new PodList(list);
    }

    @Override
    public String toString() {
        return isGhost() ? name + " (unknown node)" : name;
    }
}
