package io.berth.plugins.dynamicresources;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.Refusals;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.ReserveVerdict;
import io.berth.plugins.hint.Hints;
import java.util.List;
import java.util.Optional;

/// Keeps its hands off pods without resource claims, as upstream's plugin does, and holds back pods
/// with claims: without devices they could not start on any node.
public final class DynamicResources
        implements PreEnqueue,
                PreFilter,
                NodeLocalFilter,
                PostFilter,
                NodeLocalScore,
                Normalize,
                Reserve,
                PreBind,
                Events {
    public static final String NAME = "DynamicResources";

    static final Refusal CLAIMS_UNSUPPORTED =
            Refusal.hopeless(
                    "pod uses resource claims, which this scheduler does not allocate; schedule it"
                            + " with a scheduler that does");

    private static final Cycle.Key<Seen> SEEN = new Cycle.Key<>(Seen.class);

    /// Says that the pod was looked at in this attempt.
    private record Seen() implements Cycle.Note {
        @Override
        public Cycle.Note copy() {
            return this;
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Lets every pod be tried, so that a pod with claims gets an event that says why it waits.
    @Override
    public Optional<Refusal> preEnqueue(Pod pod) {
        return Optional.empty();
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        cycle.put(SEEN, new Seen());
        return hasClaims(pod) ? CLAIMS_UNSUPPORTED : PreFilterVerdict.SKIP;
    }

    @Override
    public SlotJudge judge(PodSpec spec, NodeColumns columns) {
        return SlotJudge.PASS_ALL;
    }

    /// Where an earlier plugin refused the pod outright, upstream has no state for it and fails;
    /// users know the resulting text (E-109).
    @Override
    public PostFilterVerdict postFilter(Cycle cycle, Pod pod, Refusals refusals) {
        if (cycle.find(SEEN) == null) {
            return new PostFilterVerdict.Nothing(
                    List.of("not found"), PostFilterVerdict.Nomination.KEEP, true);
        }
        return PostFilterVerdict.Nothing.keeping(
                hasClaims(pod) ? "still not schedulable" : "no new claims to deallocate");
    }

    /// Nothing in favour of any node. Upstream does not leave the plugin out either, so that its
    /// zeros stand in the log.
    @Override
    public SlotScore scorer(PodSpec spec, NodeColumns columns) {
        return slot -> 0;
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        Normalize.proportionally(scores, false);
    }

    @Override
    public ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName) {
        return ReserveVerdict.PASS;
    }

    @Override
    public void unreserve(Cycle cycle, Pod pod, String nodeName) {}

    @Override
    public boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
        return false;
    }

    @Override
    public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
        return PreBindVerdict.PASS;
    }

    @Override
    public boolean allowsParallel() {
        return true;
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_ALLOCATABLE),
                Registration.of(
                        ClusterEvent.POD,
                        Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM,
                        (waiting, before, after) ->
                                Hints.queueIf(Hints.isSame(waiting, Hints.pod(after)))),
                Registration.of(ClusterEvent.RESOURCE_CLAIM, Action.ADD | Action.UPDATE),
                Registration.of(ClusterEvent.DEVICE_CLASS, Action.ADD | Action.UPDATE),
                Registration.of(ClusterEvent.RESOURCE_SLICE, Action.ADD | Action.UPDATE));
    }

    private static boolean hasClaims(Pod pod) {
        return !pod.spec().resourceClaims().isEmpty();
    }
}
