package io.berth.plugins.dynamicresources;

import io.berth.api.device.DeviceClaim;
import io.berth.api.model.GeneratedClaims.Mapping;
import io.berth.api.model.Node;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.verdict.Refusal;
import io.berth.plugins.device.DeviceBook;
import io.berth.plugins.device.ExtendedClasses;
import io.berth.plugins.device.Shapes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Devices that stand for extended resources of a pod (contract rules DR-61 to DR-63). Which of
/// them do hangs on the node: where a device plugin offers a resource, it is not asked for here.
final class ExtendedNeeds {
    /// No object can have this name. The claim gets another when it is made.
    static final String THOUGHT = "<extended-resources>";

    private static final OnNode LEFT_OVER =
            new OnNode.Refused(Refusal.hopeless("cannot schedule extended resource claim"));
    private static final OnNode UNKNOWN =
            new OnNode.Refused(Refusal.hopeless("cannot fit resource"));

    private final ExtendedClasses classes;
    private final DeviceBook book;
    private final Shapes shapes;

    ExtendedNeeds(ExtendedClasses classes, DeviceBook book, Shapes shapes) {
        this.classes = classes;
        this.book = book;
        this.shapes = shapes;
    }

    /// The claim that an earlier attempt has left, or the thought of one; null where the pod needs
    /// none.
    @Nullable ResourceClaim claimOf(Pod pod) {
        boolean isNeeded = false;
        for (String resource : resources(pod)) {
            isNeeded |= classes.of(resource) != null;
        }
        if (!isNeeded) {
            return null;
        }
        var known = book.extendedClaim(pod);
        return known == null ? thought(pod, DeviceClaim.NOTHING) : known;
    }

    static boolean isThought(ResourceClaim claim) {
        return claim.name().equals(THOUGHT);
    }

    private static ResourceClaim thought(Pod pod, DeviceClaim spec) {
        return new ResourceClaim(
                pod.namespace(),
                THOUGHT,
                THOUGHT + pod.uid(),
                "",
                new Owner("v1", "Pod", pod.name(), pod.uid()),
                false,
                false,
                true,
                spec,
                null,
                List.of(),
                List.of());
    }

    private static Set<String> resources(Pod pod) {
        var result = new TreeSet<String>();
        pod.spec()
                .requests()
                .exact()
                .scalars()
                .forEach((name, amount) -> {
                    if (amount != 0 && ExtendedClasses.isPossible(name)) {
                        result.add(name);
                    }
                });
        return result;
    }

    /// What the pod needs on each node.
    ///
    /// @param extended see [#claimOf]
    /// @param open claims of the pod's own that have no devices yet
    Function<Node, OnNode> of(Pod pod, ResourceClaim extended, List<ResourceClaim> open) {
        return extended.spec().requests().isEmpty() ? new ByNode(pod, open) : _ -> LEFT_OVER;
    }

    /// The answer for a pod hangs on which of its resources a node offers; most nodes agree in
    /// that. Hot: asked once for each node, allocates nothing where an earlier node agreed.
    ///
    /// Owned by the engine thread.
    private final class ByNode implements Function<Node, OnNode> {
        private final Pod pod;
        private final List<ResourceClaim> open;
        private final String[] resources;

        /// Whether a class of devices stands for the resource.
        private final boolean[] hasClass;

        private final Map<BitSet, OnNode> known = new HashMap<>();

        /// Which resources devices are to stand for on the node that is asked about.
        private final BitSet missing = new BitSet();

        ByNode(Pod pod, List<ResourceClaim> open) {
            this.pod = pod;
            this.open = open;
            resources = resources(pod).toArray(String[]::new);
            hasClass = new boolean[resources.length];
            for (int i = 0; i < resources.length; i++) {
                hasClass[i] = classes.of(resources[i]) != null;
            }
        }

        @Override
        public OnNode apply(Node node) {
            Map<String, Long> offered = node.allocatable().scalars();
            missing.clear();
            for (int i = 0; i < resources.length; i++) {
                Long amount = offered.get(resources[i]);
                if (hasClass[i] && (amount == null || amount == 0)) {
                    missing.set(i);
                } else if (amount == null) {
                    return UNKNOWN;
                }
            }
            var found = known.get(missing);
            if (found == null) {
                var names = missing.stream().mapToObj(i -> resources[i]).toList();
                found = wanted(pod, names, open);
                known.put((BitSet) missing.clone(), found);
            }
            return found;
        }
    }

    private OnNode wanted(Pod pod, List<String> missing, List<ResourceClaim> open) {
        var claims = new ArrayList<>(open);
        List<Mapping> mappings = List.of();
        if (!missing.isEmpty()) {
            var asked = ExtendedRequests.of(pod.spec(), missing, this::className);
            claims.add(thought(pod, new DeviceClaim(asked.requests(), List.of(), List.of())));
            mappings = asked.mappings();
        }
        return new OnNode.Wanted(claims, claims.isEmpty() ? null : shapes.of(claims), mappings);
    }

    private @Nullable String className(String resource) {
        var found = classes.of(resource);
        return found == null ? null : found.name();
    }
}
