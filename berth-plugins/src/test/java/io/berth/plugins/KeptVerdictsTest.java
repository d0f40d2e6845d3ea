package io.berth.plugins;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.imagelocality.ImageLocality;
import io.berth.testkit.Pods;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Verdicts and scores are kept from attempt to attempt. A plugin that breaks while they are worked
/// out must leave nothing behind that looks like one.
@Tag("E-141")
final class KeptVerdictsTest {
    /// Breaks in all the ways that a plugin can, while it is told to.
    private static final class Trouble {
        private final SplittableRandom random;
        private boolean isWanted;

        Trouble(long seed) {
            random = new SplittableRandom(seed);
        }

        void maybe() {
            if (isWanted && random.nextInt(400) == 0) {
                switch (random.nextInt(4)) {
                    case 0 -> throw new IllegalStateException("broken");
                    case 1 -> throw new NoSuchMethodError("gone()");
                    case 2 -> throw new StackOverflowError();
                    default -> throw new AssertionError("never");
                }
            }
        }

        /// A score, or now and then one that is none.
        long maybe(long score) {
            maybe();
            return isWanted && random.nextInt(400) == 0 ? 500 : score;
        }
    }

    private record Fickle(Trouble trouble) implements NodeLocalFilter, NodeLocalScore {
        @Override
        public String name() {
            return "Fickle";
        }

        @Override
        public SlotJudge judge(PodSpec spec, NodeColumns columns) {
            trouble.maybe();
            return new SlotJudge() {
                @Override
                public boolean passes(int slot) {
                    trouble.maybe();
                    return !columns.node(slot).node().labels().has("closed");
                }

                @Override
                public Verdict explain(int slot) {
                    trouble.maybe();
                    return passes(slot) ? Verdict.PASS : Refusal.mayPreempt("closed");
                }
            };
        }

        @Override
        public SlotScore scorer(PodSpec spec, NodeColumns columns) {
            trouble.maybe();
            return slot -> trouble.maybe(columns.node(slot).name().length());
        }
    }

    private record FickleNormalised(Trouble trouble) implements NodeLocalScore, Normalize {
        @Override
        public String name() {
            return "FickleNormalised";
        }

        @Override
        public SlotScore scorer(PodSpec spec, NodeColumns columns) {
            trouble.maybe();
            return slot -> {
                trouble.maybe();
                return columns.node(slot).pods().size();
            };
        }

        @Override
        public void normalize(Cycle cycle, Pod pod, Scores scores) {
            trouble.maybe();
            Normalize.proportionally(scores, true);
        }
    }

    /// Without ImageLocality, for whom everything is judged anew when the number of nodes changes.
    private static TestScheduler scheduler(Trouble trouble) {
        var plugins =
                TestPlugins.of(InTree.factories(), InTree.defaults())
                        .without(ImageLocality.NAME)
                        .and(new Fickle(trouble), 3)
                        .and(new FickleNormalised(trouble), 3);
        return TestScheduler.with(plugins.factories(), plugins.profile());
    }

    private static List<Pods> shapes(String name) {
        return List.of(
                pod(name).cpu("3").label("app", "a"),
                pod(name).cpu("1").label("app", "b").nodeSelector("disk", "ssd"),
                pod(name).cpu("500m").label("app", "c").away("kubernetes.io/hostname", "app", "c"));
    }

    private static Node aNode(String name, SplittableRandom random) {
        var node = node(name).cpu("" + random.nextInt(1, 6)).zone("z" + random.nextInt(3));
        if (random.nextBoolean()) {
            node.label("disk", "ssd");
        }
        if (random.nextInt(4) == 0) {
            node.label("closed", "yes");
        }
        return node.build();
    }

    /// What the scheduler thinks of each shape. What it keeps of that must be the same.
    private static List<Object> opinions(TestScheduler scheduler) {
        var profile =
                Objects.requireNonNull(
                        scheduler.engine().profiles().get(PodSpec.DEFAULT_SCHEDULER));
        assertThat(profile.recheck()).isEmpty();
        return shapes("asked").stream()
                .<Object>map(p -> Set.copyOf(profile.explain(p.build()).nodes()))
                .toList();
    }

    private static TestScheduler afresh(Map<String, Node> nodes, Iterable<Pod> pods) {
        var fresh = scheduler(new Trouble(0));
        nodes.values().forEach(fresh::add);
        for (var pod : pods) {
            if (pod.isAssigned()) {
                fresh.create(pod);
            }
        }
        fresh.settle();
        return fresh;
    }

    /// 256 nodes to begin with, so that the columns grow with the next one and everything is judged
    /// anew.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nothingIsKeptOfWhatAPluginBrokeIn(long seed) {
        var random = new SplittableRandom(seed);
        var trouble = new Trouble(seed);
        var scheduler = scheduler(trouble);
        var nodes = new LinkedHashMap<String, Node>();
        for (int i = 0; i < 256; i++) {
            nodes.put("n" + i, aNode("n" + i, random));
        }
        nodes.values().forEach(scheduler::add);
        for (int step = 0; step < 6; step++) {
            if (step > 0) {
                String name = "n" + (step == 1 ? 256 : random.nextInt(260));
                nodes.put(name, aNode(name, random));
                scheduler.add(nodes.get(name));
            }
            for (int shape = 0; shape < 3; shape++) {
                scheduler.create(shapes("p" + step + "-" + shape).get(shape).build());
            }
            trouble.isWanted = step > 0 && random.nextInt(3) > 0;
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(random.nextInt(3)));
            trouble.isWanted = false;
            assertThat(opinions(scheduler))
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(opinions(afresh(nodes, scheduler.cluster().pods())));
        }
    }

    /// The columns grow with the 257th node, and a plugin answers nonsense about it. Afterwards
    /// pods landed on nodes that were far too small for them.
    @Test
    void nonsenseAboutANewNodeLeavesNoBlankVerdicts() {
        var trouble = new Trouble(1);
        var scheduler = scheduler(trouble);
        scheduler.add(node("n0").cpu("8").zone("z0").build());
        scheduler.add(node("m0").cpu("8").zone("z0").build());
        for (int i = 1; i < 255; i++) {
            scheduler.add(node("n" + i).cpu("1").zone("z0").build());
        }
        scheduler.create(pod("first").cpu("4").build());
        scheduler.settle();
        var longName = "bad".repeat(40); // its length is the score, which is out of range
        scheduler.add(node(longName).cpu("8").zone("z1").build());
        scheduler.create(pod("second").cpu("4").build());
        scheduler.settle();
        assertThat(scheduler.messageOf("default/second")).contains("invalid score 120");
        scheduler.add(node(longName).cpu("8").zone("z1").unschedulable().build());
        scheduler.pass(Duration.ofSeconds(15));
        for (int i = 0; i < 4; i++) {
            scheduler.create(pod("later" + i).cpu("4").build());
            scheduler.settle();
            assertThat(scheduler.nodeOf("default/later" + i)).isIn("n0", "m0", "");
        }
    }
}
