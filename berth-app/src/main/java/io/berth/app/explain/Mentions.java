package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.config.text.Value;
import io.berth.lab.KnownCluster;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The nodes and the pods of a cluster that an answer names.
///
/// Found in every text rather than in certain fields, so that a field that is added later cannot
/// tell what the others keep.
///
/// @param nodes their names
/// @param pods namespaces by `namespace/name`
record Mentions(Set<String> nodes, Map<String, String> pods) {
    static final Mentions NONE = new Mentions(Set.of(), Map.of());

    /// What separates words in our sentences, and cannot be part of an object's name.
    private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9./_-]+");

    Mentions {
        nodes = Set.copyOf(nodes);
        pods = Map.copyOf(pods);
    }

    /// @param lines what is shown of the answer besides
    static Mentions of(KnownCluster cluster, Value answer, List<String> lines) {
        var words = new HashSet<String>();
        collect(answer, words);
        lines.forEach(line -> words(line).forEach(words::add));
        var known = cluster.nodesByName();
        var nodes = new HashSet<String>();
        var pods = new HashMap<String, String>();
        for (var word : words) {
            for (var name : List.of(word, bare(word))) {
                if (known.containsKey(name)) {
                    nodes.add(name);
                }
                if (name.indexOf('/') > 0) {
                    cluster.pod(name).map(Pod::namespace).ifPresent(of -> pods.put(name, of));
                }
            }
        }
        return new Mentions(nodes, pods);
    }

    private static void collect(Value value, Set<String> words) {
        switch (value) {
            case Value.Fields fields ->
                    fields.entries()
                            .forEach((name, entry) -> {
                                words(name).forEach(words::add);
                                collect(entry, words);
                            });
            case Value.Items items -> items.items().forEach(item -> collect(item, words));
            case Value.Text text -> words(text.text()).forEach(words::add);
            case Value.Numeral _, Value.Flag _, Value.Nothing _ -> {
                // No words.
            }
        }
    }

    static Stream<String> words(String text) {
        return NO_NAME.splitAsStream(text);
    }

    /// A name at the end of a sentence.
    static String bare(String word) {
        return word.endsWith(".") ? word.substring(0, word.length() - 1) : word;
    }

    /// Those of the pods.
    Set<String> namespaces() {
        return Set.copyOf(pods.values());
    }
}
