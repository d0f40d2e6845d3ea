package io.berth.lab.explain;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.query.EngineQueries;
import io.berth.lab.Twin;
import io.berth.plugins.InTree;
import io.berth.testkit.HandClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class PreviewTest {
    private static final String GPU = "example.com/gpu";

    private static Twin twin(ClusterObject... objects) {
        var profile = ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults());
        return Twin.of(
                EngineSettings.of(List.of(profile)),
                Registry.of(InTree.factories()),
                new HandClock(),
                ClusterImage.of(List.of(objects)));
    }

    private static <T> T ask(Twin twin, Function<EngineQueries, T> question) {
        return twin.ask(question).orTimeout(1, TimeUnit.MINUTES).join();
    }

    /// Nodes are not looked at while nobody is less important, which changes as pods come and go.
    @Test
    void whoIsLessImportantIsCountedAsPodsComeAndGo() {
        var wanting = pod("p").uid("p").cpu("4").priority(100).build();
        var equal = pod("equal").uid("e").cpu("4").priority(100).onNode("n").build();
        var lesser = pod("lesser").uid("l").cpu("4").priority(7).onNode("n").build();
        try (var twin = twin(node("n").cpu("4").build(), equal)) {
            assertThat(evictions(twin, wanting)).isZero();
            twin.feed().gone(Kind.POD, "default", "equal");
            twin.feed().seen(lesser);
            assertThat(evictions(twin, wanting)).isEqualTo(1);
            twin.feed().gone(Kind.POD, "default", "lesser");
            twin.feed().seen(equal);
            assertThat(evictions(twin, wanting)).isZero();
        }
    }

    private static int evictions(Twin twin, Pod pod) {
        return ask(twin, asked -> asked.preemption(pod, 3)).orElseThrow().options().size();
    }

    /// A dry run once kept what it had prepared for a first question, whose column of the resource
    /// was gone by the second: that one tried evictions on one column and judged by another.
    @Test
    void whoWouldBeEvictedForAnExtendedResourceIsToldTwiceAlike() {
        var objects = new ArrayList<ClusterObject>();
        objects.add(node("g1").cpu("64").allocatable(GPU, "8").build());
        for (int i = 0; i < 4; i++) {
            objects.add(pod("held-" + i).uid("h" + i).request(GPU, "2").onNode("g1").build());
        }
        var wanting = pod("p").uid("p").request(GPU, "4").priority(100).build();
        try (var twin = twin(objects.toArray(ClusterObject[]::new))) {
            for (int time = 0; time < 3; time++) {
                var preview = ask(twin, asked -> asked.preemption(wanting, 3)).orElseThrow();
                assertThat(preview.options()).as("time %d", time).hasSize(1);
                assertThat(preview.options().getFirst().victims()).hasSize(2);
            }
        }
    }
}
