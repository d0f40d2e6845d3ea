package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value;
import io.berth.lab.explain.Fix;
import io.berth.lab.explain.Group;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.text.ExplanationJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Takes from an explanation what a caller may not know: the names of nodes, and of pods in
/// namespaces that are not theirs. Counts, reasons and what the owner of the pod can do stay; what
/// else names something goes as a whole, and `redacted` says what is missing.
final class Redaction {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9./_-]+");

    private static final Set<String> ABOUT_NODES =
            Set.of("nodes", "examples", "nearest", "candidates");
    private static final String SOMEWHERE = "";

    private final boolean hidesNodes;
    private final Set<String> nodes = new HashSet<>();
    private final Set<String> pods = new HashSet<>();
    private final int undecided;
    private int fixesLeftOut;

    /// @param hidesNamespace whether pods of a namespace are hidden
    /// @param undecided for how many namespaces it was not found out whether they are to be hidden,
    ///   so that they are
    Redaction(
            Mentions mentions,
            boolean hidesNodes,
            Predicate<String> hidesNamespace,
            int undecided) {
        this.hidesNodes = hidesNodes;
        this.undecided = undecided;
        if (hidesNodes) {
            nodes.addAll(mentions.nodes());
        }
        mentions.pods()
                .forEach((pod, namespace) -> {
                    if (hidesNamespace.test(namespace)) {
                        pods.add(pod);
                    }
                });
    }

    /// For a caller who may see everything.
    static Redaction none() {
        return new Redaction(Mentions.NONE, false, _ -> false, 0);
    }

    /// What its owner sees of a pod anyway.
    Redaction knowing(Pod pod) {
        nodes.remove(pod.nodeName());
        nodes.remove(pod.nominatedNodeName());
        return this;
    }

    Value of(Value explanation) {
        if (!(explanation instanceof Value.Fields fields) || !hidesNodes && pods.isEmpty()) {
            return explanation;
        }
        var told = new FieldsBuilder();
        fields.entries().forEach((name, value) -> told.put(name, field(name, value)));
        return told.put("redacted", Value.of(notes().stream().map(Value::of).toList())).build();
    }

    /// The same without what a table of nodes would show.
    PodExplanation of(PodExplanation told) {
        if (!hidesNodes && pods.isEmpty()) {
            return told;
        }
        var groups =
                hidesNodes
                        ? told.groups().stream().map(Redaction::withoutExamples).toList()
                        : told.groups();
        return new PodExplanation(
                told.pod(),
                told.source(),
                told.phase(),
                told.counts(),
                told.message(),
                groups,
                hidesNodes ? List.of() : told.nodes(),
                hidesNodes ? Optional.empty() : told.choice(),
                hidesNodes ? Optional.empty() : told.nearest(),
                hidesNodes || !pods.isEmpty() ? Optional.empty() : told.preemption(),
                told.fixes().stream().filter(fix -> !names(fix)).toList(),
                told.effort(),
                told.uncertain());
    }

    private static Group withoutExamples(Group group) {
        return new Group(
                group.count(),
                group.filters(),
                group.isBesideNominated(),
                group.reasons(),
                group.details(),
                group.remedy(),
                List.of());
    }

    private boolean names(Fix fix) {
        return names(ExplanationJson.patch(fix))
                || names(fix.sentence())
                || names(fix.command())
                || fix.victims().stream().anyMatch(victim -> names(victim.pod()));
    }

    List<String> of(List<String> lines) {
        return lines.stream().map(this::cleaned).toList();
    }

    private Value field(String name, Value value) {
        if (name.equals("fixes")) {
            return fixes(value);
        }
        if (hidesNodes && ABOUT_NODES.contains(name)) {
            if (value instanceof Value.Items items
                    && items.items().stream().allMatch(Value.Fields.class::isInstance)) {
                return Value.of(List.<Value>of());
            }
            if (value instanceof Value.Fields) {
                return new Value.Nothing(0);
            }
        }
        return cleaned(value);
    }

    /// A fix that names something would be of no use without it.
    private Value fixes(Value value) {
        var kept = new ArrayList<Value>();
        for (var fix : value instanceof Value.Items items ? items.items() : List.<Value>of()) {
            var open = hidesNodes ? without(fix, "landsOn") : fix;
            if (names(open)) {
                fixesLeftOut++;
            } else {
                kept.add(open);
            }
        }
        return Value.of(kept);
    }

    private static Value without(Value value, String field) {
        if (!(value instanceof Value.Fields fields)) {
            return value;
        }
        var left = new FieldsBuilder();
        fields.entries()
                .forEach((name, entry) -> {
                    left.put(name, name.equals(field) ? Value.of(SOMEWHERE) : entry);
                });
        return left.build();
    }

    private boolean names(Value value) {
        return switch (value) {
            case Value.Fields fields ->
                    fields.entries().keySet().stream().anyMatch(this::names)
                            || fields.entries().values().stream().anyMatch(this::names);
            case Value.Items items -> items.items().stream().anyMatch(this::names);
            case Value.Text text -> names(text.text());
            case Value.Numeral _, Value.Flag _, Value.Nothing _ -> false;
        };
    }

    private boolean names(String text) {
        return Mentions.words(text).anyMatch(word -> isNode(word) || isPod(word));
    }

    private boolean isNode(String word) {
        return nodes.contains(Mentions.bare(word)) || nodes.contains(word);
    }

    private boolean isPod(String word) {
        return pods.contains(Mentions.bare(word)) || pods.contains(word);
    }

    private Value cleaned(Value value) {
        return switch (value) {
            case Value.Fields fields -> {
                var told = new FieldsBuilder();
                fields.entries().forEach((name, entry) -> told.put(name, field(name, entry)));
                yield told.build();
            }
            case Value.Items items -> Value.of(items.items().stream().map(this::cleaned).toList());
            case Value.Text text -> Value.of(cleaned(text.text()));
            case Value.Numeral _, Value.Flag _, Value.Nothing _ -> value;
        };
    }

    private String cleaned(String text) {
        if (!names(text)) {
            return text;
        }
        var words = WORD.matcher(text);
        return words.replaceAll(match -> {
            var word = match.group();
            var end = word.substring(Mentions.bare(word).length());
            if (isNode(word)) {
                return "a-node" + end;
            }
            return isPod(word) ? "a-pod" + end : Matcher.quoteReplacement(word);
        });
    }

    private List<String> notes() {
        var notes = new ArrayList<String>();
        if (hidesNodes) {
            notes.add("names of nodes: you may not list nodes");
        }
        if (!pods.isEmpty()) {
            notes.add(
                    pods.size() == 1
                            ? "1 pod of other namespaces"
                            : pods.size() + " pods of other namespaces");
        }
        if (undecided > 0) {
            notes.add(
                    "pods of "
                            + undecided
                            + (undecided == 1 ? " namespace" : " namespaces")
                            + ", since it was not found out in time whether you may list them");
        }
        if (fixesLeftOut > 0) {
            notes.add(
                    fixesLeftOut == 1
                            ? "1 fix that names what you may not see"
                            : fixesLeftOut + " fixes that name what you may not see");
        }
        return notes;
    }
}
