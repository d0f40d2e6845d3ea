package io.berth.lab.explain;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.query.EngineQueries;
import io.berth.lab.explain.ClusterStudy.Context;
import io.berth.plugins.InTree;
import io.berth.testkit.HandClock;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlacementStudyTest {
    private static ClusterStudy study(ClusterObject... objects) {
        var profile = ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());
        return new ClusterStudy(
                EngineSettings.of(List.of(profile)),
                Registry.of(InTree.factories()),
                new HandClock(),
                ClusterImage.of(List.of(objects)),
                Context.of(new Source(Source.Kind.CLUSTER, "test", "", 0, "", "test")));
    }

    private static List<Pod> podsOn(ClusterStudy study, String node) {
        return Trials.ask(study.twin(), twin -> twin.podsOn(node));
    }

    /// The first of them was once taken for one that had been there before.
    @Test
    void nothingStaysOfTwoPodsOfOneName() {
        try (var study = study(node("n").cpu("8").build())) {
            var twice = pod("p").uid("p").cpu("1").build();
            var placed = new PlacementStudy(study).place(List.of(), List.of(twice, twice));
            assertThat(placed).extracting(PlacementStudy.Placement::node).containsOnly("n");
            assertThat(podsOn(study, "n")).isEmpty();
            assertThat(Trials.ask(study.twin(), EngineQueries::pods)).isEmpty();
        }
    }

    @Test
    void podThatWasThereStaysAsItWas() {
        var there = pod("p").uid("p").cpu("1").onNode("n").build();
        var other = pod("q").uid("q").cpu("1").onNode("n").build();
        try (var study = study(node("n").cpu("8").build(), node("m").build(), there, other)) {
            var anew = pod("p").uid("p2").cpu("1").onNode("m").build();
            new PlacementStudy(study).place(List.of(), List.of(anew, anew));
            assertThat(podsOn(study, "n")).containsExactly(there, other);
            assertThat(podsOn(study, "m")).isEmpty();
        }
    }

    @Test
    void nodesThatAreTriedGoWhateverBreaks() {
        try (var study = study(node("n").build())) {
            var nodes = List.of(node("new").build());
            var foreign = List.of(pod("p").scheduler("other").build());
            assertThatThrownBy(() -> new PlacementStudy(study).place(nodes, foreign))
                    .isInstanceOf(ExplainException.class);
            assertThat(Trials.ask(study.twin(), EngineQueries::nodeOrder)).containsExactly("n");
            assertThat(study.cluster().object(Kind.POD, "default/p")).isEmpty();
        }
    }
}
