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

    /// A process that died had reserved a shared claim for a pod. The next one placed another pod
    /// with that claim and wrote both names, and was said to have left a reservation behind.
    @Test
    @Tag("DR-18")
    void reservationOfAnEarlierProcessIsNoneOfTheNextOnes() {
        var life = Simulation.run(Scenario.of(1161).withVolumes().withDevices(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A pod's volumes were in order, and its devices were still being written when its node
    /// changed zones. Volumes were looked at once more when the binding went on.
    @Test
    @Tag("VB-17")
    void volumesAreNotLookedAtAgainForDevicesThatComeLater() {
        var life = Simulation.run(Scenario.of(1595).withVolumes().withDevices(), _ -> {});

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

    /// A claim was freed and deleted while the watch was broken, so the scheduler saw it go with
    /// its devices and woke nobody: somebody who wanted them waited on.
    @Test
    @Tag("DR-22")
    void claimThatWentWithItsDevicesWakesWhoWantsThem() {
        var life = Simulation.run(Scenario.of(1761).withDevices(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A claim for a single pod had two users, since the node of the first was away when the second
    /// came. It counts once, so when one of both is away in thought it counts as free, and he is
    /// evicted in vain, as upstream does it. The plain reading knew better.
    @Test
    @Tag("VR-5")
    void oneOfTwoUsersOfAClaimForASinglePodMayBeEvictedInVain() {
        var life = Simulation.run(Scenario.of(2356).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// What a new node's drivers say was seen before the node. That woke a pod which had found no
    /// place for its volumes, too early, and the node itself wakes no such pod.
    @Test
    @Tag("VL-9")
    void nodeThatIsSeenAfterItsDriversWakesNobodyForItsVolumes() {
        var life = Simulation.run(Scenario.of(2505).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A pod without volumes shares what is kept of nodes with one that has some and is like it
    /// otherwise. When a driver told its limit it was tried first, and the node stayed in its
    /// group, by the limit of before: the other failed with "3 nodes are feasible by groups, but 2
    /// one by one", again and again.
    @Test
    @Tag("VL-3")
    void podWithoutVolumesHasThemCountedForThoseThatAreLikeIt() {
        var life = Simulation.run(Scenario.of(2997).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A pod with two claims waited for the volume of one. It was deleted, a namesake came, and the
    /// other claim, which had a volume when the node was chosen, went, since nobody used it any
    /// more. Whether the pod is there is asked by its name, and what was bound at the choice is not
    /// asked again, so its binding was sent, for the server to refuse.
    @Test
    @Tag("VB-17")
    void claimThatWasBoundAtTheChoiceMayGoBeforeTheBinding() {
        var life = Simulation.run(Scenario.of(9155).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A pod with two anti-affinity terms expected a node, and kept one out that matches one of
    /// them. When it expected the node no longer that one was not woken (IP-13): the same as where
    /// such a pod leaves its node, but the simulator knew of those alone.
    @Test
    @Tag("IP-13")
    void podThatIsShunnedByOneWhoExpectsTheNodeMayWaitOn() {
        var life = Simulation.run(Scenario.of(10618).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// Several nodes left between two attempts, and one came back in the slot of another. Its pod
    /// has affinity, and the recount wanted the node on the list of those at both places.
    @Test
    @Tag("E-33")
    void nodeThatCameBackInTheSlotOfAnotherIsListedOnce() {
        var life = Simulation.run(Scenario.of(10804).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A preemptor was turned away until its victim was seen to leave. When that was seen to be
    /// terminating, another eviction began and forgot the first one, so that the victim's end did
    /// not wake the preemptor.
    @Test
    @Tag("E-163")
    void evictionThatBeginsForgetsNobodyWhoWasTurnedAway() {
        var life = Simulation.run(Scenario.of(16684).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A failure said that a pod expects no node, as the pod did itself, and took its time. Others
    /// nominated it meanwhile. What the next failure wanted to clear counted as cleared by the
    /// first one, which had not touched it, so the status kept the node.
    @Test
    @Tag("E-108")
    void nominationByOthersIsClearedAfterAWriteThatLeftItAlone() {
        var life = Simulation.run(Scenario.of(15754).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A pod was tried when others, tried with it, had been promised the volumes that it wants.
    /// They were not let through and gave them back, which wakes nobody. The simulator knew that,
    /// but not where all were tried anew since they had waited for so long.
    @Test
    @Tag("VB-19")
    void volumesThatAreGivenBackWakeNobodyAfterTheLongWaitEither() {
        var life = Simulation.run(Scenario.of(13878).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// Somebody else's promise was in doubt, so that the plain reading did not know which volumes a
    /// pod gets, and wanted to evict for it where its volume cannot go.
    @Test
    @Tag("VB-9")
    void preemptionIsNotJudgedWhereNobodyKnowsThePodsVolumes() {
        var life = Simulation.run(Scenario.of(15034).withVolumes(), _ -> {});

        assertThat(life.lines()).isGreaterThan(50);
    }

    /// A process found more than a step takes, and what was still to be taken counted as forgotten.
    @Test
    void whatTheNextStepTakesIsNotForgotten() {
        var life = Simulation.run(Scenario.of(16002).withVolumes(), _ -> {});

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
