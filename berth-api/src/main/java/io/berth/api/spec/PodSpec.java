package io.berth.api.spec;

import io.berth.api.amount.Quantity;
import io.berth.api.label.Labels;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The part of a pod that its template fixes and that scheduling reads: its *shape*, without
/// namespace and labels.
///
/// Pods of one template share one interned object, so whatever is worked out from a spec is worked
/// out once. Node and status are not part of it.
public final class PodSpec {
    public static final PodSpec DEFAULT = builder().build();
    public static final String DEFAULT_SCHEDULER = "default-scheduler";

    private final Fields fields;
    private final int hash;
    private @Nullable PodRequests requests;
    private @Nullable PodSpec withoutClaims;

    private PodSpec(Fields fields) {
        this.fields = fields;
        this.hash = fields.hashCode();
    }

    public static PodSpecBuilder builder() {
        return new PodSpecBuilder();
    }

    static PodSpec of(Fields fields) {
        return new PodSpec(fields);
    }

    public PodSpecBuilder toBuilder() {
        return new PodSpecBuilder(fields);
    }

    public String schedulerName() {
        return fields.schedulerName;
    }

    public int priority() {
        return fields.priority;
    }

    /// Whether the pod may evict others; false for `preemptionPolicy: Never`.
    public boolean mayPreempt() {
        return fields.mayPreempt;
    }

    /// Null where the field is absent, which differs from an empty map (rule NA-2).
    public @Nullable Labels nodeSelector() {
        return fields.nodeSelector;
    }

    public Affinity affinity() {
        return fields.affinity;
    }

    public List<Toleration> tolerations() {
        return fields.tolerations;
    }

    public List<TopologySpreadConstraint> topologySpread() {
        return fields.topologySpread;
    }

    public List<String> schedulingGates() {
        return fields.schedulingGates;
    }

    public List<Container> containers() {
        return fields.containers;
    }

    public List<Container> initContainers() {
        return fields.initContainers;
    }

    public Map<String, Quantity> overhead() {
        return fields.overhead;
    }

    /// Requests of the pod as a whole; null where the pod states none.
    public @Nullable Map<String, Quantity> podLevelRequests() {
        return fields.podLevelRequests;
    }

    public List<Volume> volumes() {
        return fields.volumes;
    }

    /// This spec without the volumes that are claims and without the claims for devices: pods of a
    /// StatefulSet, each with claims of its own, are equal in it. What does not look at claims may
    /// be kept by it.
    public PodSpec withoutClaims() {
        // A race computes equal values twice, which is harmless.
        var known = withoutClaims;
        if (known == null) {
            known = hasClaims() ? new PodSpec(fields.withoutClaims()) : this;
            withoutClaims = known;
        }
        return known;
    }

    private boolean hasClaims() {
        if (!fields.resourceClaims.isEmpty()) {
            return true;
        }
        for (var volume : fields.volumes) {
            if (isClaim(volume)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isClaim(Volume volume) {
        return volume.source() instanceof Volume.Claim
                || volume.source() instanceof Volume.Ephemeral;
    }

    /// The claims for devices that the pod refers to.
    public List<PodClaim> resourceClaims() {
        return fields.resourceClaims;
    }

    public boolean hostNetwork() {
        return fields.hostNetwork;
    }

    /// Whether the pod uses the node's user namespace; false only where `hostUsers: false`.
    public boolean hostUsers() {
        return fields.hostUsers;
    }

    /// Whether a container's restart rules may restart all containers of the pod.
    public boolean restartsAllContainers() {
        return fields.restartsAllContainers;
    }

    /// What a pod of this spec asks for, unless an in-place resize is under way; see
    /// [Pod#requests].
    public PodRequests requests() {
        // A race computes equal values twice, which is harmless.
        var known = requests;
        if (known == null) {
            known = PodRequests.of(this, null);
            requests = known;
        }
        return known;
    }

    /// Ports of the node that the pod needs: those of sidecars first, then of app containers; plain
    /// init containers do not count (E-11).
    public List<HostPort> hostPorts() {
        return fields.hostPorts;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof PodSpec that && hash == that.hash && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "PodSpec" + Objects.toString(fields).substring("Fields".length());
    }

    record Fields(
            String schedulerName,
            int priority,
            boolean mayPreempt,
            @Nullable Labels nodeSelector,
            Affinity affinity,
            List<Toleration> tolerations,
            List<TopologySpreadConstraint> topologySpread,
            List<String> schedulingGates,
            List<Container> containers,
            List<Container> initContainers,
            Map<String, Quantity> overhead,
            @Nullable Map<String, Quantity> podLevelRequests,
            List<Volume> volumes,
            List<PodClaim> resourceClaims,
            boolean hostNetwork,
            boolean hostUsers,
            boolean restartsAllContainers,
            List<HostPort> hostPorts) {
        Fields withoutClaims() {
            return new Fields(
                    schedulerName,
                    priority,
                    mayPreempt,
                    nodeSelector,
                    affinity,
                    tolerations,
                    topologySpread,
                    schedulingGates,
                    containers,
                    initContainers,
                    overhead,
                    podLevelRequests,
                    volumes.stream().filter(volume -> !isClaim(volume)).toList(),
                    List.of(),
                    hostNetwork,
                    hostUsers,
                    restartsAllContainers,
                    hostPorts);
        }
    }
}
