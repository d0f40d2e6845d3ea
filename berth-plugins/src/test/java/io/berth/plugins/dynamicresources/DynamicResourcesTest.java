package io.berth.plugins.dynamicresources;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Refusals;
import io.berth.api.spec.PodClaim;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.PostFilterVerdict.Nomination;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.plugins.TestCycle;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DynamicResourcesTest {
    private static final Refusals NONE =
            new Refusals() {
                @Override
                public @Nullable Refusal of(String nodeName) {
                    return null;
                }

                @Override
                public Refusal ofOthers() {
                    return Refusal.hopeless("nothing");
                }

                @Override
                public List<NodeView> resolvableNodes() {
                    return List.of();
                }
            };

    private final DynamicResources plugin =
            new DynamicResources(DynamicResourcesArguments.DEFAULT, new TestCluster());
    private final Pod plain = pod("p").build();
    private final Pod claiming = pod("p", spec().resourceClaim(PodClaim.of("gpu", "gpu")));

    @Test
    @Tag("DR-5")
    @Tag("DR-15")
    void podWithoutClaimsIsLeftAlone() {
        var cycle = new TestCycle();
        assertThat(plugin.preEnqueue(plain)).isEmpty();
        assertThat(plugin.preFilter(cycle, plain)).isEqualTo(PreFilterVerdict.SKIP);
        assertThat(plugin.postFilter(cycle, plain, NONE))
                .isEqualTo(PostFilterVerdict.Nothing.keeping("no new claims to deallocate"));
    }

    @Test
    @Tag("E-109")
    void postFilterEndsThereWhereThePodWasRefusedEarlier() {
        assertThat(plugin.postFilter(new TestCycle(), plain, NONE))
                .isEqualTo(
                        new PostFilterVerdict.Nothing(List.of("not found"), Nomination.KEEP, true));
    }

    @Test
    @Tag("DR-4")
    @Tag("DR-5")
    void podWaitsForItsClaims() {
        var cycle = new TestCycle();
        var missing = Refusal.hopeless("could not find ResourceClaim \"default/gpu\"");
        assertThat(plugin.preEnqueue(claiming)).contains(missing);
        assertThat(plugin.preFilter(cycle, claiming)).isEqualTo(missing);
    }

    @Test
    @Tag("DR-16")
    void scoreIsZero() {
        var cluster = new TestCluster().add(node("a").build());
        var fresh = new DynamicResources(DynamicResourcesArguments.DEFAULT, cluster);
        assertThat(PluginRun.of(cluster, fresh, plain).scores()).isEqualTo(Map.of("a", 0L));
    }

    @Test
    @Tag("DR-22")
    void ownClaimsWakeAndAnothersDoNot() {
        var event =
                ClusterEvent.of(
                        ClusterEvent.UNSCHEDULABLE_POD, Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM);
        var other = pod("q").build();
        assertThat(hint(plugin, event, plain, plain, plain)).isEqualTo(Hint.QUEUE);
        assertThat(hint(plugin, event, claiming, claiming, claiming))
                .as("its claim is not there")
                .isEqualTo(Hint.SKIP);
        assertThat(hint(plugin, event, claiming, other, other)).isEqualTo(Hint.SKIP);
    }
}
