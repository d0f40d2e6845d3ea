package io.berth.sim;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Recorder;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.spec.PodSpec;
import io.berth.plugins.InTree;
import io.berth.sim.scenario.Scenario;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Short forms of stories that the simulation came upon.
final class FoundBySimulationTest {
    /// A plugin breaks while the kept results of a spec are prepared anew, because the number of
    /// nodes changed. The number changes back, so nothing asked for another preparation, and the
    /// next attempt met judgements that were never made: it failed in the name of an innocent
    /// plugin.
    @Test
    @Tag("E-91")
    void pluginThatBreaksOnceSpoilsOneAttemptOnly() {
        var breaking = new BreaksOnDemand();
        var plugins = TestPlugins.of(InTree.factories(), InTree.defaults()).and(breaking, 0);
        var scheduler = TestScheduler.with(plugins.factories(), plugins.profile());
        scheduler.add(node("a").build());
        scheduler.create(pod("first").cpu("1").build());
        scheduler.settle();

        var other = node("b").build();
        scheduler.add(other);
        breaking.isBroken = true;
        scheduler.create(pod("second").cpu("1").build());
        scheduler.settle();
        breaking.isBroken = false;
        scheduler.remove(other);
        scheduler.pass(Duration.ofSeconds(3));

        assertThat(scheduler.nodeOf("default/second")).isEqualTo("a");
        assertThat(scheduler.cluster().events())
                .filteredOn(event -> event.reason().equals("FailedScheduling"))
                .extracting(Recorder.Event::note)
                .containsExactly("running \"BreaksOnDemand\" filter plugin: broken");
    }

    /// A claim is gone when its pod is about to be bound, so the attempt ends with an error, and
    /// the pod is held back since it has no claim. When there is one again it is let in by the
    /// back-off of those that were refused, which may be cut short, although an error came first.
    /// Whoever looked at turns took it for one that met an error.
    @Test
    @Tag("E-51")
    void podThatMetAnErrorAndWasHeldBackSinceMayBeTriedEarly() {
        var life = Simulation.run(Scenario.of(1578).withDevices(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A pod that others shun by two terms, of which it matches one, is not woken when they go
    /// (IP-13). The plain reading asked about devices before pods, so where devices kept the pod
    /// out as well it did not notice that it was shunned, and took it for forgotten.
    @Test
    @Tag("IP-13")
    void podThatIsShunnedWhereItsDevicesAreTakenMayWaitOn() {
        var life = Simulation.run(Scenario.of(194).withDevices(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// Volumes of a node whose claims have changed are counted anew by whoever looks first, be it
    /// somebody who only asks. That node was said to be out of date when it was counted, so a
    /// question had attempts judge it again, and a replay, which nobody asks, went another way.
    @Test
    @Tag("VL-3")
    void volumesThatAreCountedForAQuestionChangeNoAttempt() {
        var life = Simulation.run(Scenario.of(66), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A claim was given up for a pod that fitted nowhere, the answer was lost and the watch was
    /// behind. When there was room the pod was bound, since its claim seemed to be its own already,
    /// and nothing would have started it: the claim had no devices any more.
    @Test
    @Tag("DR-18")
    void podIsNotBoundToAClaimThatWasGivenUpUnseen() {
        var life = Simulation.run(Scenario.of(729).withDevices(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// Somebody else brought a pod to another node, where it came to its end, and its claim was
    /// freed. The scheduler did not know yet and asked for its own binding, which the server
    /// refuses. The plain reading missed the claim.
    @Test
    @Tag("DR-18")
    void podThatOthersHaveBoundNeedsNoClaimToBeRefused() {
        var life = Simulation.run(Scenario.of(1015).withDevices(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A pod had been given a volume when its claim was deleted. The claim stays while the pod uses
    /// it, but whoever binds claims did not look at it any more, and the pod waited for longer than
    /// any calm lasts. kube-controller-manager binds such a claim.
    @Test
    @Tag("VB-17")
    void claimThatIsToBeDeletedStillGetsTheVolumeThatAPodWaitsFor() {
        var life = Simulation.run(Scenario.of(852).withDevices(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    private static final class BreaksOnDemand implements NodeLocalFilter {
        boolean isBroken;

        @Override
        public String name() {
            return "BreaksOnDemand";
        }

        @Override
        public SlotJudge judge(PodSpec spec, NodeColumns columns) {
            if (isBroken) {
                throw new IllegalStateException("broken");
            }
            return SlotJudge.PASS_ALL;
        }
    }
}
