package io.berth.plugins.podtopologyspread;

import io.berth.api.model.Pod;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.List;

/// Spreading constraints of a pod that could be wider or softer. Those that the profile gives to
/// pods without any are not the pod's to change.
final class SpreadRelaxations {
    private static final List<Integer> STEPS = List.of(1, 2, 3, 5, 10, 20, 50);

    private final Pod pod;
    private final List<Relaxation> found = new ArrayList<>();

    private SpreadRelaxations(Pod pod) {
        this.pod = pod;
    }

    static List<Relaxation> of(Pod pod) {
        var relaxing = new SpreadRelaxations(pod);
        var all = pod.spec().topologySpread();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).hard()) {
                relaxing.relax(i, all.get(i));
            }
        }
        return relaxing.found;
    }

    private void relax(int index, TopologySpreadConstraint constraint) {
        var base = "/spec/topologySpreadConstraints/" + index + "/";
        var over = "spread over " + constraint.topologyKey();
        if (constraint.minDomains() > 1) {
            propose(
                    "%s with minDomains 1 instead of %d".formatted(over, constraint.minDomains()),
                    index,
                    changed(constraint, constraint.maxSkew(), true, 1),
                    Edit.remove(base + "minDomains", constraint.minDomains()),
                    "",
                    30);
        }
        for (int step : STEPS) {
            int skew = constraint.maxSkew() + step;
            propose(
                    "%s with maxSkew %d instead of %d".formatted(over, skew, constraint.maxSkew()),
                    index,
                    changed(constraint, skew, true, constraint.minDomains()),
                    Edit.replace(base + "maxSkew", constraint.maxSkew(), skew),
                    "maxSkew " + index,
                    Math.min(90, 10 * step));
        }
        propose(
                over + " only as far as possible (ScheduleAnyway)",
                index,
                changed(constraint, constraint.maxSkew(), false, 1),
                Edit.replace(base + "whenUnsatisfiable", "DoNotSchedule", "ScheduleAnyway"),
                "",
                90);
    }

    private static TopologySpreadConstraint changed(
            TopologySpreadConstraint old, int maxSkew, boolean hard, int minDomains) {
        return new TopologySpreadConstraint(
                maxSkew,
                old.topologyKey(),
                hard,
                old.selector(),
                minDomains,
                old.honorsNodeAffinity(),
                old.honorsNodeTaints(),
                old.matchLabelKeys());
    }

    private void propose(
            String sentence,
            int index,
            TopologySpreadConstraint constraint,
            Edit edit,
            String family,
            int cutPercent) {
        var all = new ArrayList<>(pod.spec().topologySpread());
        all.set(index, constraint);
        var changed =
                pod.toBuilder().spec(pod.spec().toBuilder().topologySpread(all).build()).build();
        found.add(
                new Relaxation(
                        sentence,
                        Who.OWNER,
                        new Change.OfPod(changed, edits(index, edit)),
                        family,
                        cutPercent));
    }

    /// The API forbids `minDomains` where the pod may be placed anyway.
    private List<Edit> edits(int index, Edit edit) {
        var minDomains = pod.spec().topologySpread().get(index).minDomains();
        return edit.path().endsWith("whenUnsatisfiable") && minDomains > 1
                ? List.of(
                        Edit.remove(
                                "/spec/topologySpreadConstraints/" + index + "/minDomains",
                                minDomains),
                        edit)
                : List.of(edit);
    }
}
