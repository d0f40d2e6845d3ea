package io.berth.lab.explain;

import io.berth.api.explain.FilterAnswer;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change.OfNodes;
import io.berth.api.relax.Relaxation.Change.OfObjects;
import io.berth.api.relax.Relaxation.Change.OfPod;
import io.berth.api.relax.Who;
import io.berth.api.verdict.Refusal;
import io.berth.lab.Twin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds changes that would get a pod a place. Plugins propose what would have them pass; each
/// proposal is tried on the twin with the whole profile, since what helps with one filter may hurt
/// with another. Where several filters refuse a node, one proposal of each is tried together.
final class FixSearch {
    static final int MOST_FIXES = 20;
    private static final int MOST_FILTERS = 3;
    private static final int MOST_OBSTACLES = 500;
    private static final int MOST_PROPOSALS = 12;

    /// Of each filter, where several have to give way together.
    private static final int MOST_TOGETHER = 4;

    /// Proposals taken together.
    private record Step(
            Change change,
            Fix.Patch patch,
            List<String> sentences,
            Who who,
            int cutPercent,
            String command) {}

    private final Twin twin;
    private final Map<String, Node> nodes;
    private final Groups groups;
    private final Trials trials;
    private final Step start;
    private final List<Fix> found = new ArrayList<>();
    private final Set<String> helpful = new HashSet<>();
    private final Set<String> families = new HashSet<>();
    private final Set<List<String>> triedTogether = new HashSet<>();

    FixSearch(Twin twin, Map<String, Node> nodes, Groups groups, Trials trials, Pod pod) {
        this.twin = twin;
        this.nodes = nodes;
        this.groups = groups;
        this.trials = trials;
        this.start = new Step(Change.of(pod), Fix.Patch.NONE, List.of(), Who.NOBODY, 0, "");
    }

    /// Fixes by what plugins propose, in no order.
    List<Fix> byPlugins() {
        var masks = masks();
        for (var mask : masks) {
            for (var plugin : mask.getKey().filters()) {
                proposals(plugin, start, mask.getValue(), MOST_PROPOSALS).forEach(this::tryAlone);
            }
        }
        for (var mask : masks) {
            if (mask.getKey().filters().size() > 1) {
                together(mask.getKey().filters(), 0, start, mask.getValue());
            }
        }
        return found;
    }

    /// The same where the pod is refused as a whole, before any node is looked at.
    List<Fix> byRefusal(FilterAnswer answer) {
        var refusal = (Refusal) answer.verdict();
        var obstacles =
                nodes.values().stream()
                        .limit(MOST_OBSTACLES)
                        .map(node -> new Obstacle(node, refusal, List.of()))
                        .toList();
        if (!obstacles.isEmpty()) {
            Trials.ask(
                            twin,
                            queries ->
                                    queries.relaxations(
                                            answer.plugin(), start.change.pod(), obstacles))
                    .stream()
                    .limit(MOST_PROPOSALS)
                    .map(proposal -> new Proposal(proposal, and(start, proposal)))
                    .forEach(this::tryAlone);
        }
        return found;
    }

    /// The groups that no other group is a part of, with few filters each: the nearest ones.
    private List<Map.Entry<Groups.Key, List<Groups.Member>>> masks() {
        return groups.members().entrySet().stream()
                .filter(entry -> entry.getKey().filters().size() <= MOST_FILTERS)
                .filter(entry -> isMinimal(entry.getKey()))
                .sorted(
                        Comparator.comparingInt(
                                        (Map.Entry<Groups.Key, List<Groups.Member>> entry) ->
                                                entry.getKey().filters().size())
                                .thenComparingInt(entry -> -entry.getValue().size()))
                .toList();
    }

    private boolean isMinimal(Groups.Key key) {
        var own = key.filters();
        return groups.members().keySet().stream()
                .map(Groups.Key::filters)
                .noneMatch(other -> other.size() < own.size() && own.containsAll(other));
    }

    private record Proposal(Relaxation relaxation, Step step) {}

    /// What a filter proposes for some nodes, on top of what was proposed before.
    private List<Proposal> proposals(
            String plugin, Step before, List<Groups.Member> members, int most) {
        var obstacles = obstacles(plugin, before, members);
        if (obstacles.isEmpty()) {
            return List.of();
        }
        return Trials.ask(
                        twin,
                        queries -> queries.relaxations(plugin, before.change.pod(), obstacles))
                .stream()
                .limit(most)
                .map(relaxation -> new Proposal(relaxation, and(before, relaxation)))
                .toList();
    }

    private List<Obstacle> obstacles(String plugin, Step before, List<Groups.Member> members) {
        var changed =
                before.change.nodes().stream().collect(Collectors.toMap(Node::name, node -> node));
        var obstacles = new ArrayList<Obstacle>();
        for (var member : members) {
            var node = changed.getOrDefault(member.name(), nodes.get(member.name()));
            for (var answer : member.answers()) {
                if (node != null
                        && answer.plugin().equals(plugin)
                        && answer.verdict() instanceof Refusal refusal) {
                    obstacles.add(new Obstacle(node, refusal, answer.lacks()));
                }
            }
            if (obstacles.size() >= MOST_OBSTACLES) {
                break;
            }
        }
        return obstacles;
    }

    private static Step and(Step before, Relaxation relaxation) {
        var patch = before.patch;
        var sentences = new ArrayList<>(before.sentences);
        sentences.add(relaxation.sentence());
        Change change;
        String command = before.command;
        switch (relaxation.change()) {
            case OfPod(var pod, var more) -> {
                change = before.change.withPod(pod);
                patch = patch.and("", more);
            }
            case OfObjects(var objects, var target, var more) -> {
                change = before.change.withObjects(objects);
                patch = patch.and(target, more);
            }
            case OfNodes(var changed, var typed) -> {
                change = before.change.withNodes(changed);
                command = typed.isEmpty() ? command : joined(command, typed, changed);
            }
        }
        return new Step(
                change,
                patch,
                sentences,
                before.who.compareTo(relaxation.who()) >= 0 ? before.who : relaxation.who(),
                Math.max(before.cutPercent, relaxation.cutPercent()),
                command);
    }

    private static String joined(String before, String typed, List<Node> changed) {
        var names = changed.stream().map(Node::name).collect(Collectors.joining(" "));
        return (before.isEmpty() ? "" : before + " && ") + typed.formatted(names);
    }

    private void tryAlone(Proposal proposal) {
        var family = proposal.relaxation.family();
        if (!family.isEmpty() && families.contains(family)
                || !triedTogether.add(proposal.step.sentences)) {
            return;
        }
        if (tryOut(proposal.step)) {
            helpful.add(proposal.relaxation.sentence());
            if (!family.isEmpty()) {
                families.add(family);
            }
        }
    }

    /// One proposal of each filter from a position on, in all combinations.
    private void together(
            List<String> filters, int position, Step before, List<Groups.Member> members) {
        if (trials.isSpent() && !found.isEmpty()) {
            return;
        }
        if (position == filters.size()) {
            if (before.sentences.size() > 1 && triedTogether.add(before.sentences)) {
                tryOut(before);
            }
            return;
        }
        var proposals = proposals(filters.get(position), before, members, MOST_TOGETHER);
        for (var proposal : proposals) {
            // What helps alone needs no company.
            if (!helpful.contains(proposal.relaxation.sentence())) {
                together(filters, position + 1, proposal.step, members);
            }
        }
    }

    private boolean tryOut(Step step) {
        var room = trials.room(step.change);
        if (room.isNone()) {
            return false;
        }
        found.add(
                new Fix(
                        0,
                        String.join(", and ", step.sentences),
                        step.who,
                        step.cutPercent,
                        step.patch,
                        room.nodes(),
                        room.first(),
                        step.command,
                        List.of(),
                        step.change));
        return true;
    }

    /// The best first: who has to act, how many things, how much is given up, how many nodes.
    static List<Fix> ranked(List<Fix> fixes) {
        var sorted =
                fixes.stream()
                        .sorted(
                                Comparator.comparing(Fix::who)
                                        .thenComparingInt(
                                                fix -> fix.sentence().split(", and ", -1).length)
                                        .thenComparingInt(Fix::cutPercent)
                                        .thenComparingInt(fix -> -fix.nodes())
                                        .thenComparing(Fix::sentence))
                        .limit(MOST_FIXES)
                        .toList();
        var numbered = new ArrayList<Fix>();
        for (var fix : sorted) {
            numbered.add(fix.numbered(numbered.size() + 1));
        }
        return numbered;
    }
}
