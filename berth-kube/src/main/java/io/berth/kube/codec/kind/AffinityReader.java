package io.berth.kube.codec.kind;

import io.berth.api.label.LabelSelector;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.NodeSelector;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Selectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads `spec.affinity`.
final class AffinityReader {
    private @Nullable NodeSelector requiredNodes;
    private List<NodeSelector.Preferred> preferredNodes = List.of();
    private boolean hasPreferredNodes;
    private boolean hasPodAffinity;
    private PodTerms affine = PodTerms.NONE;
    private PodTerms anti = PodTerms.NONE;

    private record PodTerms(
            List<Affinity.PodTerm> required, List<Affinity.WeightedPodTerm> preferred) {
        static final PodTerms NONE = new PodTerms(List.of(), List.of());
    }

    static Affinity read(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return Affinity.NONE;
        }
        return new AffinityReader().readAll(in);
    }

    private Affinity readAll(ObjectInput in) throws IOException {
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "nodeAffinity" -> readNodes(in);
                case "podAffinity" -> {
                    hasPodAffinity |= !in.isNull();
                    affine = podTerms(in);
                }
                case "podAntiAffinity" -> {
                    hasPodAffinity |= !in.isNull();
                    anti = podTerms(in);
                }
                default -> in.skip();
            }
        }
        return new Affinity(
                requiredNodes,
                preferredNodes,
                hasPreferredNodes,
                hasPodAffinity,
                affine.required,
                affine.preferred,
                anti.required,
                anti.preferred);
    }

    private void readNodes(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "requiredDuringSchedulingIgnoredDuringExecution" -> {
                    if (in.beginObject()) {
                        requiredNodes = Selectors.nodeSelector(in);
                    }
                }
                case "preferredDuringSchedulingIgnoredDuringExecution" -> readPreferredNodes(in);
                default -> in.skip();
            }
        }
    }

    private void readPreferredNodes(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        hasPreferredNodes = true;
        var result = new ArrayList<NodeSelector.Preferred>(2);
        while (in.nextElement()) {
            int weight = 0;
            var term = new NodeSelector.Term(List.of(), List.of());
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "weight" -> weight = in.integer();
                    case "preference" -> term = Selectors.nodeTerm(in);
                    default -> in.skip();
                }
            }
            result.add(new NodeSelector.Preferred(weight, term));
        }
        preferredNodes = result;
    }

    private static PodTerms podTerms(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return PodTerms.NONE;
        }
        var required = new ArrayList<Affinity.PodTerm>(2);
        var preferred = new ArrayList<Affinity.WeightedPodTerm>(2);
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "requiredDuringSchedulingIgnoredDuringExecution" -> {
                    if (in.beginArray()) {
                        while (in.nextElement()) {
                            if (in.beginObject()) {
                                required.add(podTerm(in));
                            }
                        }
                    }
                }
                case "preferredDuringSchedulingIgnoredDuringExecution" ->
                        readWeighted(in, preferred);
                default -> in.skip();
            }
        }
        return new PodTerms(required, preferred);
    }

    private static void readWeighted(ObjectInput in, List<Affinity.WeightedPodTerm> into)
            throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            int weight = 0;
            var term = new Affinity.PodTerm(LabelSelector.NOTHING, Set.of(), null, "");
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "weight" -> weight = in.integer();
                    case "podAffinityTerm" -> {
                        if (in.beginObject()) {
                            term = podTerm(in);
                        }
                    }
                    default -> in.skip();
                }
            }
            into.add(new Affinity.WeightedPodTerm(weight, term));
        }
    }

    private static Affinity.PodTerm podTerm(ObjectInput in) throws IOException {
        var selector = LabelSelector.NOTHING;
        var namespaces = List.<String>of();
        LabelSelector namespaceSelector = null;
        String topologyKey = "";
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "labelSelector" -> selector = Selectors.labelSelector(in);
                case "namespaces" -> namespaces = in.texts();
                case "namespaceSelector" ->
                        namespaceSelector = in.isNull() ? null : Selectors.labelSelector(in);
                case "topologyKey" -> topologyKey = in.sharedText();
                default -> in.skip();
            }
        }
        return new Affinity.PodTerm(
                selector, Set.copyOf(namespaces), namespaceSelector, topologyKey);
    }
}
