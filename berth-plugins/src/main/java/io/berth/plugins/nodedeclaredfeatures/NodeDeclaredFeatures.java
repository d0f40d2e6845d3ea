package io.berth.plugins.nodedeclaredfeatures;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.hint.Hints;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods off nodes that have not declared a feature which the pod needs.
public final class NodeDeclaredFeatures implements PreFilter, NodeLocalFilter, Events {
    public static final String NAME = "NodeDeclaredFeatures";

    static final Refusal FEATURE_MISSING =
            Refusal.hopeless("node(s) didn't match Pod's required features");

    private static final String RESTART_ALL = "RestartAllContainersOnContainerExits";
    private static final String USER_NAMESPACES = "UserNamespacesHostNetworkSupport";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        return needsOf(pod.spec()).isEmpty() ? PreFilterVerdict.SKIP : PreFilterVerdict.PASS;
    }

    @Override
    public SlotJudge judge(PodSpec spec, NodeColumns columns) {
        var needs = needsOf(spec);
        return needs.isEmpty() ? SlotJudge.PASS_ALL : new Judge(needs, columns);
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_DECLARED_FEATURE,
                        NodeDeclaredFeatures::featuresChanged),
                Registration.of(
                        ClusterEvent.POD, Action.UPDATE, NodeDeclaredFeatures::ownNeedsChanged));
    }

    private static Hint featuresChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.node(before);
        var now = Hints.node(after);
        return Hints.queueIf(
                now != null
                        && (old == null || !old.declaredFeatures().equals(now.declaredFeatures())));
    }

    private static Hint ownNeedsChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.pod(before);
        var now = Hints.pod(after);
        return Hints.queueIf(
                old != null
                        && now != null
                        && Hints.isSame(waiting, now)
                        && !needsOf(old.spec()).equals(needsOf(now.spec())));
    }

    private static Set<String> needsOf(PodSpec spec) {
        if (!spec.restartsAllContainers() && (spec.hostUsers() || !spec.hostNetwork())) {
            return Set.of();
        }
        var needs = new HashSet<String>();
        if (spec.restartsAllContainers()) {
            needs.add(RESTART_ALL);
        }
        if (spec.hostNetwork() && !spec.hostUsers()) {
            needs.add(USER_NAMESPACES);
        }
        return needs;
    }

    private record Judge(Set<String> needs, NodeColumns columns) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return columns.node(slot).node().declaredFeatures().containsAll(needs);
        }

        @Override
        public Verdict explain(int slot) {
            return passes(slot) ? Verdict.PASS : FEATURE_MISSING;
        }
    }
}
