package io.berth.api.model;

import io.berth.api.label.Labels;
import io.berth.api.spec.PodRequests;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.ResizeStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pod. Two pods of one template share their [PodSpec] and mostly their [Labels].
///
/// @param resourceVersion opaque, as the API server gave it
/// @param nodeName where the pod runs or was bound to; empty while it has no node
/// @param nominatedNodeName where a preemption made room for it; empty where none
/// @param conditions those that the scheduler reads: PodScheduled and DisruptionTarget
/// @param resize null unless an in-place resize is under way
/// @param generatedClaims null where no resource claims were made for it
public record Pod(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        long generation,
        Labels labels,
        PodSpec spec,
        @Nullable Owner controller,
        String nodeName,
        String phase,
        String nominatedNodeName,
        List<PodCondition> conditions,
        @Nullable Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant deletedAt,
        @Nullable ResizeStatus resize,
        @Nullable GeneratedClaims generatedClaims)
        implements ClusterObject {

    public Pod {
        conditions = List.copyOf(conditions);
    }

    public static PodBuilder builder(String namespace, String name) {
        return new PodBuilder(namespace, name);
    }

    public PodBuilder toBuilder() {
        return new PodBuilder(this);
    }

    @Override
    public Kind kind() {
        return Kind.POD;
    }

    public boolean isAssigned() {
        return !nodeName.isEmpty();
    }

    public boolean isTerminating() {
        return deletedAt != null;
    }

    public boolean isTerminal() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /// The same pod on a node.
    public Pod onNode(String node) {
        return toBuilder().nodeName(node).build();
    }

    public @Nullable PodCondition condition(String type) {
        for (var condition : conditions) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }

    /// What the pod counts for on its node.
    public PodRequests requests() {
        return resize == null ? spec.requests() : PodRequests.of(spec, resize);
    }

    @Override
    public String toString() {
        return key();
    }
}
