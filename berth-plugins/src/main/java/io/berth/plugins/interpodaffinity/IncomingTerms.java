package io.berth.plugins.interpodaffinity;

import io.berth.api.label.LabelSelector;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.api.spec.Affinity.WeightedPodTerm;
import io.berth.api.verdict.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks that a pod's terms can be understood.
final class IncomingTerms {
    private IncomingTerms() {}

    static boolean isSound(PodTerm term) {
        return problemOf(term) == null;
    }

    /// The refusal of a pod with a term that cannot be understood.
    static Optional<Refusal> check(Affinity affinity) {
        if (!affinity.hasPodAffinity()) {
            return Optional.empty();
        }
        var problems = new ArrayList<String>();
        add(problems, "requiredAffinityTerms", affinity.requiredPods());
        add(problems, "requiredAntiAffinityTerms", affinity.requiredAntiPods());
        add(problems, "preferredAffinityTerms", terms(affinity.preferredPods()));
        add(problems, "preferredAntiAffinityTerms", terms(affinity.preferredAntiPods()));
        if (problems.isEmpty()) {
            return Optional.empty();
        }
        var text = problems.size() == 1 ? problems.getFirst() : problems.toString();
        return Optional.of(Refusal.hopeless("parsing pod: " + text));
    }

    private static List<PodTerm> terms(List<WeightedPodTerm> weighted) {
        return weighted.stream().map(WeightedPodTerm::term).toList();
    }

    /// The first term that cannot be understood speaks for its list.
    private static void add(List<String> problems, String list, List<PodTerm> terms) {
        for (var term : terms) {
            var problem = problemOf(term);
            if (problem != null) {
                problems.add(list + ": " + problem);
                return;
            }
        }
    }

    private static @Nullable String problemOf(PodTerm term) {
        var problem = term.selector().problem();
        LabelSelector namespaces = term.namespaceSelector();
        return problem != null || namespaces == null ? problem : namespaces.problem();
    }
}
