package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value;
import io.berth.lab.KnownCluster;
import io.berth.lab.explain.Fix;
import io.berth.lab.explain.Group;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.text.ExplanationJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Takes from an explanation what a caller may not know: the names of nodes, and of pods in
/// namespaces that are not theirs. Counts, reasons and what the owner of the pod can do stay; what
/// else names something goes as a whole, and `redacted` says what is missing.
///
/// It looks for names in every text rather than at certain fields, so that a field that is added
/// later cannot tell what the others keep.
final class Redaction {
    /// What separates words in our sentences, and cannot be part of an object's name.
    private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9./_-]+");

    private static final Set<String> ABOUT_NODES =
            Set.of("nodes", "examples", "nearest", "candidates");
    private static final String SOMEWHERE = "";

    private final boolean hidesNodes;
    private final Predicate<String> hidesNamespace;
    private final Set<String> nodes = new HashSet<>();
    private final Map<String, Boolean> namespaces = new HashMap<>();
    private final Set<String> pods = new HashSet<>();
    private int fixesLeftOut;

    /// @param hidesNamespace whether pods of a namespace are hidden
    Redaction(KnownCluster cluster, boolean hidesNodes, Predicate<String> hidesNamespace) {
        this.hidesNodes = hidesNodes;
        this.hidesNamespace = hidesNamespace;
        if (hidesNodes) {
            nodes.addAll(cluster.nodesByName().keySet());
        }
        cluster.forEachPod(pod -> {
            if (isHidden(pod.namespace())) {
                pods.add(pod.key());
            }
        });
    }

    /// Hides nothing.
    private Redaction() {
        this.hidesNodes = false;
        this.hidesNamespace = _ -> false;
    }

    /// For a caller who may see everything: no pod is looked at.
    static Redaction none() {
        return new Redaction();
    }

    private boolean isHidden(String namespace) {
        return namespaces.computeIfAbsent(namespace, hidesNamespace::test);
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
        return NO_NAME.splitAsStream(text).anyMatch(word -> isNode(word) || isPod(word));
    }

    private boolean isNode(String word) {
        return nodes.contains(bare(word)) || nodes.contains(word);
    }

    private boolean isPod(String word) {
        return pods.contains(bare(word)) || pods.contains(word);
    }

    /// A name at the end of a sentence.
    private static String bare(String word) {
        return word.endsWith(".") ? word.substring(0, word.length() - 1) : word;
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
        var words = Pattern.compile("[A-Za-z0-9./_-]+").matcher(text);
        return words.replaceAll(match -> {
            var word = match.group();
            if (isNode(word)) {
                return "a-node";
            }
            return isPod(word) ? "a-pod" : Matcher.quoteReplacement(word);
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
        if (fixesLeftOut > 0) {
            notes.add(
                    fixesLeftOut == 1
                            ? "1 fix that names what you may not see"
                            : fixesLeftOut + " fixes that name what you may not see");
        }
        return notes;
    }
}
