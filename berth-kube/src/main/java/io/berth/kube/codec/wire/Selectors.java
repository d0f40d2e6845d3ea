package io.berth.kube.codec.wire;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.spec.NodeSelector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads selectors of labels and of nodes.
public final class Selectors {
    private Selectors() {}

    /// An absent selector matches nothing, an empty one everything.
    public static LabelSelector labelSelector(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return LabelSelector.NOTHING;
        }
        var all = new ArrayList<Requirement>(4);
        var expressions = List.<Requirement>of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "matchLabels" -> addEqualities(in.labelsOrEmpty(), all);
                case "matchExpressions" -> expressions = requirements(in);
                default -> in.skip();
            }
        }
        all.addAll(expressions);
        return LabelSelector.of(all);
    }

    /// The selector of a replication controller: equalities only.
    public static LabelSelector equalities(ObjectInput in) throws IOException {
        var labels = in.labels();
        if (labels == null) {
            return LabelSelector.NOTHING;
        }
        var all = new ArrayList<Requirement>(4);
        addEqualities(labels, all);
        return LabelSelector.of(all);
    }

    private static void addEqualities(Labels labels, List<Requirement> into) {
        labels.forEach((key, value) -> into.add(Requirement.is(key, value)));
    }

    /// Terms of which one must match. The caller has entered the object.
    public static NodeSelector nodeSelector(ObjectInput in) throws IOException {
        var terms = new ArrayList<NodeSelector.Term>(2);
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (field.equals("nodeSelectorTerms") && in.beginArray()) {
                while (in.nextElement()) {
                    terms.add(nodeTerm(in));
                }
            } else {
                in.skip();
            }
        }
        return new NodeSelector(terms);
    }

    public static NodeSelector.Term nodeTerm(ObjectInput in) throws IOException {
        var expressions = List.<Requirement>of();
        var fields = List.<Requirement>of();
        if (in.beginObject()) {
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "matchExpressions" -> expressions = requirements(in);
                    case "matchFields" -> fields = requirements(in);
                    default -> in.skip();
                }
            }
        }
        return new NodeSelector.Term(expressions, fields);
    }

    private static List<Requirement> requirements(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return List.of();
        }
        var result = new ArrayList<Requirement>(2);
        while (in.nextElement()) {
            String key = "";
            var operator = Operator.UNKNOWN;
            var values = List.<String>of();
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "key" -> key = in.sharedText();
                    case "operator" -> operator = operator(in.sharedText());
                    case "values" -> values = in.texts();
                    default -> in.skip();
                }
            }
            result.add(new Requirement(key, operator, values));
        }
        return result;
    }

    private static Operator operator(String name) {
        return switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            case "Gt" -> Operator.GT;
            case "Lt" -> Operator.LT;
            default -> Operator.UNKNOWN;
        };
    }
}
