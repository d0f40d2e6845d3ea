package io.berth.lab.explain;

import io.berth.api.explain.Explanation;
import io.berth.api.explain.FilterAnswer;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Refusal.Remedy;
import io.berth.lab.explain.PodExplanation.Phase;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Finds the category of a pod without a node, and the sentence that goes with it.
final class Phases {
    /// Filters that refuse a node for a state that it is in for a while.
    private static final Set<String> CLOSED = Set.of("TaintToleration", "NodeUnschedulable");

    private final Pod pod;
    private final Explanation explanation;
    private final Verdicts verdicts;
    private final QueueFacts facts;
    private final int nodeCount;
    private final long fullCount;

    Phases(Pod pod, Explanation explanation, Verdicts verdicts, QueueFacts facts, int nodeCount) {
        this.pod = pod;
        this.explanation = explanation;
        this.verdicts = verdicts;
        this.facts = facts;
        this.nodeCount = nodeCount;
        this.fullCount = fullCount(verdicts);
    }

    /// @param newNodeHelps whether a fresh node like one that exists would take the pod
    Phase phase(boolean newNodeHelps) {
        var category = category(newNodeHelps);
        return new Phase(category, sentence(category), facts);
    }

    private Category category(boolean newNodeHelps) {
        if (facts.queue().equals("waiting")) {
            return Category.WAITING_FOR_PERMIT;
        }
        if (explanation.choice().isPresent()) {
            return facts.queue().equals("backoff")
                    ? Category.BACKING_OFF
                    : Category.WAITING_FOR_TURN;
        }
        if (!pod.nominatedNodeName().isEmpty()) {
            return Category.WAITING_FOR_VICTIMS;
        }
        if (isAboutVolumes()) {
            return Category.WAITING_FOR_VOLUME;
        }
        if (fullCount > 0) {
            return Category.WAITING_FOR_ROOM;
        }
        return newNodeHelps || isAnyClosed() ? Category.NO_SUITABLE_NODE : Category.IMPOSSIBLE;
    }

    /// Whether some node would suit if it were open: without its taints, not cordoned.
    private boolean isAnyClosed() {
        return verdicts.all().stream()
                .anyMatch(alike ->
                        alike.refusals().stream()
                                .allMatch(answer ->
                                        CLOSED.contains(answer.plugin())
                                                || isHelpedByEviction(answer)));
    }

    /// The group of nodes that says most about a pod of some category.
    static Optional<Group> telling(Category category, List<Group> groups) {
        return groups.stream()
                .filter(group ->
                        switch (category) {
                            case WAITING_FOR_ROOM -> group.remedy() == Remedy.PREEMPTION_MAY_HELP;
                            case NO_SUITABLE_NODE -> CLOSED.containsAll(group.filters());
                            default -> true;
                        })
                .findFirst()
                .or(() -> groups.stream().findFirst());
    }

    /// Whether a plugin for volumes refuses the pod as a whole.
    private boolean isAboutVolumes() {
        return explanation.preFilters().stream()
                .anyMatch(answer ->
                        answer.verdict() instanceof Refusal
                                && answer.plugin().startsWith("Volume"));
    }

    /// How many nodes suit the pod but for other pods on them.
    private static long fullCount(Verdicts verdicts) {
        return verdicts.all().stream()
                .filter(alike -> alike.refusals().stream().allMatch(Phases::isHelpedByEviction))
                .mapToLong(Verdicts.Alike::refused)
                .sum();
    }

    private static boolean isHelpedByEviction(FilterAnswer answer) {
        return answer.verdict() instanceof Refusal refusal
                && refusal.remedy() == Remedy.PREEMPTION_MAY_HELP;
    }

    private String sentence(Category category) {
        long full = fullCount;
        return switch (category) {
            case WAITING_FOR_TURN, BACKING_OFF -> {
                int feasible = explanation.feasible().size();
                yield "%s of %s can take it now; it is to be tried%s"
                        .formatted(
                                number(feasible),
                                nodes(nodeCount),
                                category == Category.BACKING_OFF ? " after its back-off" : "");
            }
            case WAITING_FOR_VICTIMS ->
                    "room is being made for it on %s".formatted(pod.nominatedNodeName());
            case WAITING_FOR_ROOM ->
                    full == nodeCount
                            ? full == 1
                                    ? "the one node suits it, but is full"
                                    : "all %s suit it, but are full".formatted(nodes(nodeCount))
                            : "%s of %s %s it, but %s full; %s not suit it"
                                    .formatted(
                                            number(full),
                                            nodes(nodeCount),
                                            full == 1 ? "suits" : "suit",
                                            full == 1 ? "is" : "are",
                                            others(nodeCount - full));
            case WAITING_FOR_PERMIT -> "it has a place and waits for a permit";
            default -> hopeless(category);
        };
    }

    private String hopeless(Category category) {
        var whole = FailureText.wholeRefusal(explanation);
        if (!whole.isEmpty()) {
            return whole;
        }
        if (nodeCount == 0) {
            return "the cluster has no nodes";
        }
        return category == Category.NO_SUITABLE_NODE
                ? "none of %s suits it; one that is open, or a fresh one, would"
                        .formatted(nodes(nodeCount))
                : "none of %s suits it, nor would a fresh one like them"
                        .formatted(nodes(nodeCount));
    }

    private static String others(long count) {
        return count == 1 ? "1 does" : number(count) + " do";
    }

    private static String nodes(long count) {
        return count == 1 ? "1 node" : number(count) + " nodes";
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
