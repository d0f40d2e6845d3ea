package io.berth.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Extender;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.SlotScore;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.port.AttemptObserver;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// Two schedulers in the same cluster: one judges and scores a node of each group, the other every
/// node, because somebody wants to see all scores. They must decide alike, whatever happens.
final class TwoSchedulers {
    private final Witness grouped = new Witness();
    private final Witness listed = new Witness();
    private final TestScheduler byGroups;
    private final TestScheduler oneByOne;

    /// @param profiles made of the plugins that are enabled
    TwoSchedulers(
            List<Extender> extenders, Function<List<EnabledPlugin>, ProfileSettings[]> profiles) {
        byGroups = scheduler(grouped, AttemptObserver.NONE, extenders, profiles);
        oneByOne = scheduler(listed, new Curious(), extenders, profiles);
    }

    private static TestScheduler scheduler(
            Witness witness,
            AttemptObserver observer,
            List<Extender> extenders,
            Function<List<EnabledPlugin>, ProfileSettings[]> profiles) {
        var plugins = TestPlugins.of(InTree.factories(), InTree.defaults()).and(witness, 1);
        return TestScheduler.with(
                plugins.factories(),
                settings -> settings,
                ports -> ports.watchedBy(observer).withExtenders(extenders),
                profiles.apply(plugins.enabled()));
    }

    /// Gives every node the same, and sees how many it is asked for.
    private static final class Witness implements ClusterScore {
        private int largest;
        private int attempts;
        private int attemptsByGroup;

        @Override
        public String name() {
            return "Witness";
        }

        @Override
        public SlotScore scorer(Cycle cycle, Pod pod, NodeColumns columns) {
            return new SlotScore() {
                @Override
                public long score(int slot) {
                    return 1;
                }

                @Override
                public List<SlotTrait> traits() {
                    return List.of();
                }

                @Override
                public void scoreAll(int[] slots, int count, long[] scores) {
                    SlotScore.super.scoreAll(slots, count, scores);
                    largest = Math.max(largest, count);
                    attempts++;
                    attemptsByGroup += count <= 32 ? 1 : 0;
                }
            };
        }
    }

    private static final class Curious implements AttemptObserver {
        @Override
        public boolean wantsScores() {
            return true;
        }
    }

    void each(Consumer<TestScheduler> action) {
        action.accept(byGroups);
        action.accept(oneByOne);
    }

    /// Has both place a pod, and compares what they do and say.
    ///
    /// @return its node, empty where it has none
    String place(Pod pod) {
        each(scheduler -> {
            scheduler.create(pod);
            scheduler.settle();
        });
        var key = pod.key();
        assertThat(byGroups.nodeOf(key)).as(key).isEqualTo(oneByOne.nodeOf(key));
        assertThat(byGroups.messageOf(key)).as(key).isEqualTo(oneByOne.messageOf(key));
        return byGroups.nodeOf(key);
    }

    void remove(String key) {
        each(scheduler -> scheduler.cluster().remove(scheduler.cluster().pod(key)));
    }

    /// Makes sure that both did what they are here for.
    ///
    /// @param one of so many attempts, at least one by groups
    void assertGrouped(int one) {
        assertThat(grouped.attemptsByGroup)
                .as("of %d attempts, by groups", grouped.attempts)
                .isGreaterThan(grouped.attempts / one);
        assertThat(listed.largest).isGreaterThan(100);
    }
}
