package io.berth.sim.invariant;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.api.spec.Volume;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.fault.Doorkeeper;
import io.berth.sim.fault.Porter;
import io.berth.sim.plain.Reference;
import java.util.List;

/// Wake-ups that the contract itself loses: the pod could be placed, but by the rules no event
/// tells it so, and it waits until it has been parked for five minutes (E-58).
final class LostWakeups {
    private LostWakeups() {}

    static boolean isKnown(QueuedPodInfo info, ApiServer server, Attempts attempts) {
        var refusedBy = info.unschedulablePlugins();
        if (refusedBy.contains(Porter.NAME)) {
            return true;
        }
        if (refusedBy.contains(Doorkeeper.NAME)) {
            return !Doorkeeper.isOpen(server.nodes());
        }
        if (refusedBy.contains("InterPodAffinity")
                && info.pod().spec().affinity().requiredAntiPods().size() > 1) {
            // A deleted pod wakes those whose anti-affinity terms it matched all of, not some, even
            // if it was deleted to make room for them (IP-13).
            return true;
        }
        if (info.isGated()) {
            return false;
        }
        var last = attempts.lastFailure(info.pod().uid());
        return last != null
                && (wasKeptOutByNominated(last)
                        || attempts.hasChangedSilentlySince(last)
                        || refusedBy.contains("VolumeRestrictions") && hasNodeGone(server, last)
                        || wereVolumesPromised(info, attempts)
                        || wereDevicesInFlight(info, attempts)
                        || refusedBy.contains("DynamicResources") && hasSliceGone(server, last)
                        || refusedBy.contains("NodeVolumeLimits")
                                && (hasOwnClaim(info.pod()) || hasNodeCome(server, last))
                        || refusedBy.contains("InterPodAffinity")
                                && isLostByAffinity(info.pod(), server, last));
    }

    /// Volumes that were promised to a pod, and are given back with its place, wake nobody (VB-19).
    static boolean wereVolumesPromised(QueuedPodInfo info, Attempts attempts) {
        var last = attempts.lastFailure(info.pod().uid());
        return last != null
                && last.arePromised()
                && info.unschedulablePlugins().contains("VolumeBinding");
    }

    /// Devices that were taken for a pod, and are given back before they were written down, wake
    /// nobody (DR-20, DR-22).
    static boolean wereDevicesInFlight(QueuedPodInfo info, Attempts attempts) {
        var last = attempts.lastFailure(info.pod().uid());
        return last != null
                && last.areInFlight()
                && info.unschedulablePlugins().contains("DynamicResources");
    }

    /// Slices that go wake nobody (DR-22), though the rest of a pool may be complete without them.
    private static boolean hasSliceGone(ApiServer server, Attempts.Failure last) {
        return last.slices().stream()
                .anyMatch(name -> server.find(Kind.RESOURCE_SLICE, name) == null);
    }

    /// A volume that is detached does not wake pods with claims of their own (VL-9).
    private static boolean hasOwnClaim(Pod pod) {
        return pod.spec().volumes().stream()
                .anyMatch(volume -> volume.source() instanceof Volume.Ephemeral);
    }

    /// What a node's drivers say of it wakes pods, but not the node (VL-9), which may be seen after
    /// that.
    private static boolean hasNodeCome(ApiServer server, Attempts.Failure last) {
        return server.nodes().stream()
                .anyMatch(node -> {
                    var then = last.nodes().get(node.name());
                    return then == null || !then.uid().equals(node.uid());
                });
    }

    /// Whether pods nominated to nodes kept the pod out at its last attempt.
    static boolean isKeptOut(QueuedPodInfo info, Attempts attempts) {
        var last = attempts.lastFailure(info.pod().uid());
        return last != null && wasKeptOutByNominated(last);
    }

    /// Pods nominated to a node keep others out (E-92). When they get another node, or lose a
    /// nomination that their status never told of, no event tells (E-67, E-68).
    private static boolean wasKeptOutByNominated(Attempts.Failure last) {
        return !last.keptOutBy().isEmpty();
    }

    private static boolean isLostByAffinity(Pod pod, ApiServer server, Attempts.Failure last) {
        return isLastOfGroup(pod, server)
                || selectsNamespaces(pod, server)
                || last.isShunned()
                        && (haveNodesChanged(server, last) || isShunnedByTwoTerms(server, pod))
                || hasNodeGone(server, last);
    }

    /// Pods that come and go are compared with the terms as if their namespace had no labels, so a
    /// selector of namespaces misses them (IP-13).
    private static boolean selectsNamespaces(Pod pod, ApiServer server) {
        return hasSelector(pod.spec().affinity().requiredPods())
                || hasSelector(pod.spec().affinity().requiredAntiPods())
                || server.everHadPodWith(other ->
                        other.spec().affinity().requiredAntiPods().stream()
                                .anyMatch(term ->
                                        hasSelector(List.of(term))
                                                && Reference.means(term, other, pod)));
    }

    private static boolean hasSelector(List<PodTerm> terms) {
        return terms.stream().anyMatch(term -> term.namespaceSelector() != null);
    }

    /// The last pod that the terms mean went, so the waiting one may be the first of a new group; a
    /// deletion only tells those with anti-affinity (IP-13). Pods on nodes outside all topologies
    /// of the terms do not count.
    private static boolean isLastOfGroup(Pod pod, ApiServer server) {
        var wanted = pod.spec().affinity().requiredPods();
        return !wanted.isEmpty()
                && wanted.stream().allMatch(term -> Reference.means(term, pod, pod))
                && server.pods().stream().noneMatch(other -> counts(other, wanted, pod, server));
    }

    private static boolean counts(Pod other, List<PodTerm> wanted, Pod pod, ApiServer server) {
        var node = server.node(other.nodeName());
        return node != null
                && wanted.stream().allMatch(term -> Reference.means(term, pod, other))
                && wanted.stream().anyMatch(term -> node.labels().has(term.topologyKey()));
    }

    /// A pod that others shun is not woken by nodes (IP-14).
    private static boolean haveNodesChanged(ApiServer server, Attempts.Failure last) {
        return hasNodeGone(server, last)
                || server.nodes().size() != last.nodes().size()
                || server.nodes().stream()
                        .anyMatch(node -> {
                            var then = last.nodes().get(node.name());
                            return then == null || !then.labels().equals(node.labels());
                        });
    }

    /// A node that goes takes the pods on it out of account, but wakes nobody (E-54a).
    private static boolean hasNodeGone(ApiServer server, Attempts.Failure last) {
        return last.nodes().values().stream()
                .anyMatch(then -> {
                    var now = server.node(then.name());
                    return now == null || !now.uid().equals(then.uid());
                });
    }

    /// A deleted pod wakes those that match all of its anti-affinity terms, not some (IP-13); so
    /// does one that expects its node no longer (E-68). Who is gone cannot be asked, but others of
    /// its template are mostly still there.
    private static boolean isShunnedByTwoTerms(ApiServer server, Pod pod) {
        return server.everHadPodWith(other -> {
            var terms = other.spec().affinity().requiredAntiPods();
            return terms.size() > 1
                    && terms.stream().anyMatch(term -> Reference.means(term, other, pod));
        });
    }
}
