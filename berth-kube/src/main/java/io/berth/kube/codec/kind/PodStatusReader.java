package io.berth.kube.codec.kind;

import io.berth.api.amount.Quantity;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.PodCondition;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.ResizeStatus;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a pod's `status`.
final class PodStatusReader {
    private static final String RESIZE_PENDING = "PodResizePending";
    private static final String INFEASIBLE = "Infeasible";

    private String phase = "";
    private String nominatedNodeName = "";
    private @Nullable Instant startedAt;
    private boolean resizePending;
    private boolean infeasible;
    private final List<PodCondition> conditions = new ArrayList<>();
    private final Map<String, ResizeStatus.Given> given = new HashMap<>();
    private ContainerReader.@Nullable ResourceLists podResources;
    private Map<String, Quantity> podAllocated = Map.of();
    private final ClaimStatusReader claims = new ClaimStatusReader();

    void clear() {
        phase = "";
        nominatedNodeName = "";
        startedAt = null;
        resizePending = false;
        infeasible = false;
        conditions.clear();
        given.clear();
        podResources = null;
        podAllocated = Map.of();
        claims.clear();
    }

    String phase() {
        return phase;
    }

    String nominatedNodeName() {
        return nominatedNodeName;
    }

    @Nullable Instant startedAt() {
        return startedAt;
    }

    @Nullable GeneratedClaims generatedClaims() {
        return claims.claims();
    }

    List<PodCondition> conditions() {
        return List.copyOf(conditions);
    }

    void read(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "phase" -> phase = in.sharedText();
                case "nominatedNodeName" -> nominatedNodeName = in.sharedText();
                case "startTime" -> startedAt = in.time();
                case "conditions" -> readConditions(in);
                case "containerStatuses", "initContainerStatuses" -> readContainers(in);
                case "resources" ->
                        podResources = in.isNull() ? null : ContainerReader.resources(in);
                case "allocatedResources" -> podAllocated = in.resources();
                case "resourceClaimStatuses" -> claims.readClaims(in);
                case "extendedResourceClaimStatus" -> claims.readExtended(in);
                default -> in.skip();
            }
        }
    }

    private void readConditions(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            String type = "";
            String status = "";
            String reason = "";
            String message = "";
            Instant probed = null;
            Instant changed = null;
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "type" -> type = in.sharedText();
                    case "status" -> status = in.sharedText();
                    case "reason" -> reason = in.sharedText();
                    case "message" -> message = in.sharedText();
                    case "lastProbeTime" -> probed = in.time();
                    case "lastTransitionTime" -> changed = in.time();
                    default -> in.skip();
                }
            }
            switch (type) {
                case PodCondition.POD_SCHEDULED, PodCondition.DISRUPTION_TARGET ->
                        conditions.add(
                                new PodCondition(type, status, reason, message, probed, changed));
                case RESIZE_PENDING -> {
                    // Types are unique in a sound status; else the first counts, as upstream.
                    infeasible = resizePending ? infeasible : reason.equals(INFEASIBLE);
                    resizePending = true;
                }
                default -> {
                    // Other conditions do not concern the scheduler.
                }
            }
        }
    }

    private void readContainers(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            String name = "";
            ContainerReader.ResourceLists resources = null;
            var allocated = Map.<String, Quantity>of();
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "name" -> name = in.sharedText();
                    case "resources" ->
                            resources = in.isNull() ? null : ContainerReader.resources(in);
                    case "allocatedResources" -> allocated = in.resources();
                    default -> in.skip();
                }
            }
            if (resources != null) {
                given.put(name, new ResizeStatus.Given(resources.requestsOrNone(), allocated));
            } else {
                given.remove(name);
            }
        }
    }

    /// The resize under way, or null where what the node gave is what the spec asks for (E-9).
    /// Statuses of plain init containers and of containers that the spec does not have do not
    /// count.
    @Nullable ResizeStatus resize(PodSpec spec) {
        Map<String, ResizeStatus.Given> changed = null;
        if (!given.isEmpty()) {
            changed = addChanged(spec.containers(), false, changed);
            changed = addChanged(spec.initContainers(), true, changed);
        }
        ResizeStatus.Given podLevel = null;
        var asked = spec.podLevelRequests();
        if (podResources != null && asked != null) {
            podLevel = new ResizeStatus.Given(podResources.requestsOrNone(), podAllocated);
            podLevel = isChange(asked, podLevel) ? podLevel : null;
        }
        return changed == null && podLevel == null
                ? null
                : new ResizeStatus(changed == null ? Map.of() : changed, podLevel, infeasible);
    }

    private @Nullable Map<String, ResizeStatus.Given> addChanged(
            List<Container> containers,
            boolean sidecarsOnly,
            @Nullable Map<String, ResizeStatus.Given> into) {
        var result = into;
        for (var container : containers) {
            var has = given.get(container.name());
            if (has != null
                    && (container.restartable() || !sidecarsOnly)
                    && isChange(container.requests(), has)) {
                result = result == null ? new HashMap<>() : result;
                result.put(container.name(), has);
            }
        }
        return result;
    }

    /// Whether the container counts for something else than its spec.
    private boolean isChange(Map<String, Quantity> asked, ResizeStatus.Given has) {
        if (asked.equals(has.requests())
                && (has.allocated().isEmpty() || asked.equals(has.allocated()))) {
            return false;
        }
        var counts = new HashMap<>(has.requests());
        has.allocated().forEach((name, amount) -> counts.merge(name, amount, Quantity::max));
        if (!infeasible) {
            asked.forEach((name, amount) -> counts.merge(name, amount, Quantity::max));
        }
        return !asked.equals(counts);
    }
}
