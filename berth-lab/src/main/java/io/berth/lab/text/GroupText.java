package io.berth.lab.text;

import io.berth.api.amount.Amounts;
import io.berth.lab.explain.Group;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// A group of nodes in a few words.
final class GroupText {
    private static final int MOST_NAMES = 3;

    private GroupText() {}

    /// For each filter what it says most often; lacks of most of the nodes, with the most that
    /// there is.
    static String reasons(Group group) {
        var texts = new ArrayList<String>();
        for (var plugin : group.filters()) {
            var lacks =
                    group.reasons().stream()
                            .filter(reason -> reason.plugin().equals(plugin))
                            .filter(reason -> reason.lack() != null)
                            .filter(reason -> reason.count() * 2 >= group.count())
                            .map(GroupText::lack)
                            .collect(Collectors.joining(", "));
            texts.add(lacks.isEmpty() ? details(group, plugin) : lacks);
        }
        return String.join("; ", texts) + (group.isBesideNominated() ? " (nominated pods)" : "");
    }

    private static String lack(Group.Reason reason) {
        var lack = reason.lack();
        return lack == null
                ? ""
                : "%s: %s wanted, at most %s free"
                        .formatted(
                                lack.resource(),
                                Amounts.rough(lack.resource(), lack.wanted()),
                                Amounts.rough(lack.resource(), Math.max(0, lack.available())));
    }

    private static String details(Group group, String plugin) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        group.details().stream()
                .filter(detail -> detail.plugin().equals(plugin))
                .forEach(detail -> counts.put(detail.text(), detail.count()));
        if (counts.size() <= 1) {
            return counts.keySet().stream().findFirst().orElse(plugin);
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " (" + Words.number(entry.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }

    static String examples(Group group) {
        var names = group.examples().stream().map(Group.Example::node).limit(MOST_NAMES).toList();
        return String.join(", ", names) + (group.count() > names.size() ? ", …" : "");
    }
}
