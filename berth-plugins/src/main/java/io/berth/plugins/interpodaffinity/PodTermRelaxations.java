package io.berth.plugins.interpodaffinity;

import io.berth.api.model.Pod;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.Affinity.PodTerm;
import java.util.ArrayList;
import java.util.List;

/// Required terms about other pods that could be dropped, one at a time. What other pods' terms say
/// about this one is not its own to change.
final class PodTermRelaxations {
    private static final String REQUIRED = "/requiredDuringSchedulingIgnoredDuringExecution/";

    private PodTermRelaxations() {}

    static List<Relaxation> of(Pod pod) {
        var found = new ArrayList<Relaxation>();
        var affinity = pod.spec().affinity();
        for (int i = 0; i < affinity.requiredPods().size(); i++) {
            found.add(
                    drop(
                            pod,
                            "drop pod affinity to ",
                            affinity.requiredPods().get(i),
                            "/spec/affinity/podAffinity" + REQUIRED + i,
                            with(
                                    affinity,
                                    without(affinity.requiredPods(), i),
                                    affinity.requiredAntiPods())));
        }
        for (int i = 0; i < affinity.requiredAntiPods().size(); i++) {
            found.add(
                    drop(
                            pod,
                            "drop pod anti-affinity to ",
                            affinity.requiredAntiPods().get(i),
                            "/spec/affinity/podAntiAffinity" + REQUIRED + i,
                            with(
                                    affinity,
                                    affinity.requiredPods(),
                                    without(affinity.requiredAntiPods(), i))));
        }
        return found;
    }

    private static Relaxation drop(
            Pod pod, String words, PodTerm term, String path, Affinity affinity) {
        var changed =
                pod.toBuilder().spec(pod.spec().toBuilder().affinity(affinity).build()).build();
        return new Relaxation(
                words + "pods " + term.selector().text() + " by " + term.topologyKey(),
                Who.OWNER,
                new Change.OfPod(changed, List.of(Edit.remove(path, null))),
                "",
                80);
    }

    private static List<PodTerm> without(List<PodTerm> terms, int index) {
        var left = new ArrayList<>(terms);
        left.remove(index);
        return left;
    }

    private static Affinity with(Affinity old, List<PodTerm> pods, List<PodTerm> antiPods) {
        return new Affinity(
                old.requiredNodes(),
                old.preferredNodes(),
                old.hasPreferredNodes(),
                old.hasPodAffinity(),
                pods,
                old.preferredPods(),
                antiPods,
                old.preferredAntiPods());
    }
}
