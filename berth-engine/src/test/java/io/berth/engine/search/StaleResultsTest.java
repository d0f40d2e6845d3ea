package io.berth.engine.search;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeColumns;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Kept verdicts last until the node changes, or until the plugin says that they are out of date.
final class StaleResultsTest {
    private final Blocking filter = new Blocking();
    private final Bed bed = Bed.of(filter);

    @BeforeEach
    void addNodes() {
        bed.scheduler.add(node("a").build());
        bed.scheduler.add(node("b").build());
    }

    private int slot(String name) {
        return bed.handle().columns().slotOf(name);
    }

    private List<Integer> judgedFor(String name, Volume... volumes) {
        filter.judged.clear();
        var spec = PodSpec.builder();
        for (var volume : volumes) {
            spec.volume(volume);
        }
        bed.run(pod(name).build().toBuilder().spec(spec.build()).build());
        return List.copyOf(filter.judged);
    }

    private static Volume claim(String name) {
        return new Volume("data", new Volume.Claim(name, false));
    }

    @Test
    void onlyTheNodeThatGotThePodIsJudgedAgain() {
        assertThat(judgedFor("p")).containsExactlyInAnyOrder(slot("a"), slot("b"));
        assertThat(judgedFor("q")).containsExactly(slot(bed.nodeOf("p")));
    }

    @Test
    void slotThatThePluginCallsStaleIsJudgedAgain() {
        judgedFor("p");
        judgedFor("q");
        filter.blocked.add(slot("a"));
        bed.handle().staleSlot(slot("a"));
        assertThat(judgedFor("r")).contains(slot("a"));
        assertThat(bed.nodeOf("r")).isEqualTo("b");
        bed.engine()
                .profiles()
                .values()
                .forEach(profile -> assertThat(profile.recheck()).isEmpty());
    }

    @Test
    void allSlotsAreJudgedAgainWhereThePluginSaysSo() {
        judgedFor("p");
        bed.handle().staleSlots();
        assertThat(judgedFor("q")).containsExactlyInAnyOrder(slot("a"), slot("b"));
    }

    @Test
    void specThatThePluginCallsStaleIsJudgedAgain() {
        judgedFor("p");
        bed.handle().staleSpec(PodSpec.builder().priority(7).build());
        assertThat(judgedFor("q")).hasSize(1);
        bed.handle().staleSpec(PodSpec.DEFAULT);
        assertThat(judgedFor("r")).containsExactlyInAnyOrder(slot("a"), slot("b"));
    }

    /// A pod that fits nowhere is tried with each event that may help it.
    @Test
    void refusalIsWordedOnceUntilTheSlotIsJudgedAgain() {
        judgedFor("placed");
        filter.blocked.addAll(Set.of(slot("a"), slot("b")));
        bed.handle().staleSlots();
        judgedFor("p");
        assertThat(bed.messageOf("p")).contains("2 blocked.");
        judgedFor("q");
        assertThat(filter.explained).containsExactlyInAnyOrder(slot("a"), slot("b"));
        filter.words = "still blocked";
        bed.handle().staleSlot(slot("b"));
        judgedFor("r");
        assertThat(bed.messageOf("r")).contains("1 blocked, 1 still blocked.");
        assertThat(filter.explained).hasSize(3).endsWith(slot("b"));
    }

    @Test
    void podsThatDifferInTheirClaimsAloneShareVerdicts() {
        judgedFor("db-0", claim("data-db-0"));
        assertThat(judgedFor("db-1", claim("data-db-1"))).hasSize(1);
        assertThat(judgedFor("e", new Volume("x", new Volume.Ephemeral()))).hasSize(1);
    }

    @Test
    void podsThatDifferInTheirDevicesAloneShareVerdicts() {
        judgedFor("plain");
        for (var claim : List.of("gpu-0", "gpu-1")) {
            filter.judged.clear();
            var spec = PodSpec.builder().resourceClaim(PodClaim.of("gpu", claim)).build();
            bed.run(pod(claim).build().toBuilder().spec(spec).build());
            assertThat(filter.judged).hasSize(1);
        }
    }

    @Test
    void imageVolumesTellPodsApart() {
        judgedFor("db-0", claim("c"), new Volume("i", new Volume.Image("one")));
        assertThat(judgedFor("db-1", claim("d"), new Volume("i", new Volume.Image("one"))))
                .hasSize(1);
        assertThat(judgedFor("db-2", claim("e"), new Volume("i", new Volume.Image("two"))))
                .hasSize(2);
    }

    @Test
    void pluginThatReadsClaimsSeesThem() {
        filter.readsClaims = true;
        var other = Bed.of(filter);
        other.scheduler.add(node("a").build());
        for (var claim : List.of("c", "d")) {
            filter.judged.clear();
            var spec = PodSpec.builder().volume(claim(claim)).build();
            other.run(pod(claim).build().toBuilder().spec(spec).build());
            assertThat(filter.judged).hasSize(1);
            assertThat(filter.lastSpec).isEqualTo(spec);
        }
    }

    /// Refuses the nodes of some slots.
    private static final class Blocking implements NodeLocalFilter {
        final Set<Integer> blocked = new HashSet<>();
        final List<Integer> judged = new ArrayList<>();
        final List<Integer> explained = new ArrayList<>();
        String words = "blocked";
        boolean readsClaims;
        PodSpec lastSpec = PodSpec.DEFAULT;

        @Override
        public String name() {
            return "Blocking";
        }

        @Override
        public boolean readsClaims() {
            return readsClaims;
        }

        @Override
        public SlotJudge judge(PodSpec spec, NodeColumns columns) {
            lastSpec = spec;
            return new SlotJudge() {
                @Override
                public boolean passes(int slot) {
                    judged.add(slot);
                    return !blocked.contains(slot);
                }

                @Override
                public Verdict explain(int slot) {
                    explained.add(slot);
                    return Refusal.hopeless(words);
                }
            };
        }
    }
}
