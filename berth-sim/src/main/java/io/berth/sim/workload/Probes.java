package io.berth.sim.workload;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.testkit.Pods;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Pods that nobody has placed yet: for asking what would become of them.
final class Probes {
    /// A label that namespaces have at times. Only probes care about it.
    static final String TIER = "tier";

    private Probes() {}

    /// One in the form of each template, and one for each app that stays away from it in namespaces
    /// of a tier.
    static List<Pod> of(List<Template> templates) {
        var probes = new ArrayList<Pod>();
        for (int i = 0; i < templates.size(); i++) {
            probes.add(templates.get(i).withoutGate().pod("default", "probe-" + i, "probe-" + i));
        }
        for (var app : Template.APPS) {
            var name = "probe-" + app;
            var term =
                    new PodTerm(
                            LabelSelector.matching("app", app),
                            Set.of(),
                            LabelSelector.matching(TIER, "gold"),
                            Node.HOSTNAME_LABEL);
            probes.add(Pods.pod("default", name).uid(name).away(term).build());
        }
        return probes;
    }
}
