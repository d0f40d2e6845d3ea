package io.berth.e2e.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// One thing in which two outcomes differ.
///
/// @param kind a few words that stay the same while a scenario is made smaller
record Difference(String kind, String detail) {
    /// All differences; empty where both decided alike. Which of several best nodes is taken is
    /// left to each.
    static List<Difference> between(Outcome berth, Outcome upstream) {
        var found = new ArrayList<Difference>();
        switch (berth) {
            case Outcome.Placed ours when upstream instanceof Outcome.Placed theirs ->
                    comparePlaced(ours, theirs, found);
            case Outcome.Unplaced ours when upstream instanceof Outcome.Unplaced theirs ->
                    compareUnplaced(ours, theirs, found);
            case Outcome.Silent _ when upstream instanceof Outcome.Silent -> {}
            default -> found.add(new Difference("outcome", berth + " | " + upstream));
        }
        return found;
    }

    private static void comparePlaced(
            Outcome.Placed ours, Outcome.Placed theirs, List<Difference> found) {
        compare("feasible nodes", ours.feasibleNodes(), theirs.feasibleNodes(), found);
        compare("evaluated nodes", ours.evaluatedNodes(), theirs.evaluatedNodes(), found);
        compare("scored nodes", ours.scores().keySet(), theirs.scores().keySet(), found);
        var nodes = new TreeSet<>(ours.scores().keySet());
        nodes.retainAll(theirs.scores().keySet());
        var plugins = new TreeSet<String>();
        nodes.forEach(node -> plugins.addAll(ours.scoresOf(node).keySet()));
        nodes.forEach(node -> plugins.addAll(theirs.scoresOf(node).keySet()));
        for (var plugin : plugins) {
            var mine = new TreeMap<String, String>();
            var other = new TreeMap<String, String>();
            for (var node : nodes) {
                mine.put(node, String.valueOf(ours.scoresOf(node).get(plugin)));
                other.put(node, String.valueOf(theirs.scoresOf(node).get(plugin)));
            }
            compare("scores of " + plugin, mine, other, found);
        }
        compare("final scores", ours.totals(), theirs.totals(), found);
        if (ours.node().equals(theirs.node())) {
            compare("written", ours.written(), theirs.written(), found);
        }
        if (ours.totals().isEmpty()) {
            compare("only node", ours.node(), theirs.node(), found);
        } else {
            if (!ours.best().contains(ours.node())) {
                found.add(new Difference("choice", "Berth took " + ours.node() + ", not a best"));
            }
            if (!theirs.best().contains(theirs.node())) {
                found.add(new Difference("choice", "upstream took " + theirs.node()));
            }
        }
    }

    private static void compareUnplaced(
            Outcome.Unplaced ours, Outcome.Unplaced theirs, List<Difference> found) {
        compare("reason", ours.reason(), theirs.reason(), found);
        compare("message", ours.message(), theirs.message(), found);
        compare("event", ours.note(), theirs.note(), found);
        compare("nominated node", ours.nominatedNode(), theirs.nominatedNode(), found);
        compare("victims", ours.victims(), theirs.victims(), found);
    }

    private static void compare(String kind, Object ours, Object theirs, List<Difference> found) {
        if (!Objects.equals(ours, theirs)) {
            found.add(
                    new Difference(
                            kind,
                            "%n    berth:          %s%n    kube-scheduler: %s"
                                    .formatted(ours, theirs)));
        }
    }
}
