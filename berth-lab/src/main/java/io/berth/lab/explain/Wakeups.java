package io.berth.lab.explain;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Says which events would have a pod tried again, in a few words for each sort of object.
final class Wakeups {
    private record Word(int action, String text) {}

    private static final List<Word> OF_PODS =
            List.of(
                    new Word(Action.ADD, "is placed"),
                    new Word(Action.DELETE, "goes"),
                    new Word(Action.UPDATE_POD_LABEL, "changes its labels"),
                    new Word(Action.UPDATE_POD_SCALE_DOWN, "asks for less"),
                    new Word(Action.UPDATE_POD_TOLERATION, "tolerates more"),
                    new Word(Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED, "loses its gates"),
                    new Word(Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM, "gets its claims"));

    private static final List<Word> OF_NODES =
            List.of(
                    new Word(Action.ADD, "comes"),
                    new Word(Action.DELETE, "goes"),
                    new Word(Action.UPDATE_NODE_ALLOCATABLE, "changes its size"),
                    new Word(Action.UPDATE_NODE_LABEL, "changes its labels"),
                    new Word(Action.UPDATE_NODE_TAINT, "changes its taints"),
                    new Word(Action.UPDATE_NODE_CONDITION, "changes its conditions"),
                    new Word(Action.UPDATE_NODE_ANNOTATION, "changes its annotations"),
                    new Word(Action.UPDATE_NODE_DECLARED_FEATURE, "changes its features"));

    private static final List<Word> OF_OTHERS =
            List.of(
                    new Word(Action.ADD, "comes"),
                    new Word(Action.DELETE, "goes"),
                    new Word(Action.UPDATE, "changes"));

    /// Told first.
    private static final List<String> USUAL =
            List.of(ClusterEvent.ANY, ClusterEvent.POD, ClusterEvent.NODE);

    private Wakeups() {}

    static List<String> of(List<ClusterEvent> events) {
        var actions = new TreeMap<String, Integer>();
        events.forEach(event ->
                actions.merge(event.resource(), event.actions(), (one, other) -> one | other));
        var sentences = new ArrayList<String>();
        for (var usual : USUAL) {
            var mask = actions.remove(usual);
            if (mask != null) {
                sentences.add(sentence(usual, mask));
            }
        }
        actions.forEach((resource, mask) -> sentences.add(sentence(resource, mask)));
        return sentences;
    }

    private static String sentence(String resource, int mask) {
        return switch (resource) {
            case ClusterEvent.POD -> "a pod " + words(OF_PODS, mask);
            case ClusterEvent.NODE -> "a node " + words(OF_NODES, mask);
            case ClusterEvent.ANY -> "anything changes";
            default ->
                    "a "
                            + resource.substring(resource.lastIndexOf('/') + 1)
                            + " "
                            + words(OF_OTHERS, mask);
        };
    }

    private static String words(List<Word> all, int mask) {
        var words = all.stream().filter(word -> (word.action & mask) != 0).map(Word::text).toList();
        return words.size() <= 1
                ? String.join("", words)
                : String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
    }
}
