package io.berth.tools.explain;

import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ExplainException;
import java.util.Comparator;
import java.util.List;

/// Tells what was probably meant by a name that does not exist.
final class Names {
    private Names() {}

    static ExplainException noPod(String namespace, String name, ClusterImage image) {
        var keys = image.of(Kind.POD).stream().map(pod -> pod.key()).toList();
        var elsewhere = keys.stream().filter(key -> key.endsWith("/" + name)).findFirst();
        return new ExplainException(
                "there is no pod \"%s\" in namespace \"%s\"%s"
                        .formatted(
                                name,
                                namespace,
                                elsewhere
                                        .map(key -> "; there is " + key)
                                        .orElseGet(() -> near(namespace + "/" + name, keys))));
    }

    static ExplainException noNode(String name, ClusterStudy study) {
        var names = study.cluster().nodes().stream().map(Node::name).toList();
        return new ExplainException("there is no node \"%s\"%s".formatted(name, near(name, names)));
    }

    private static String near(String wanted, List<String> names) {
        return names.stream()
                .min(
                        Comparator.comparingInt((String name) -> distance(wanted, name))
                                .thenComparing(name -> name))
                .filter(name -> distance(wanted, name) <= Math.max(2, wanted.length() / 3))
                .map(name -> "; did you mean \"" + name + "\"?")
                .orElse("");
    }

    /// How many letters have to be added, dropped or changed.
    private static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(before[j], row[j - 1]));
            }
            before = row;
        }
        return before[b.length()];
    }
}
