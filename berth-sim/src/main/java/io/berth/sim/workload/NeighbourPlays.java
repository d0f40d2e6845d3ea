package io.berth.sim.workload;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.TopologySpreadConstraint;
import java.util.List;
import java.util.function.Function;

/// Plays about pods that want to be near one another, or not, and about pods that spread.
final class NeighbourPlays {
    static final List<Function<Stage, Play>> ALL =
            List.of(
                    NeighbourPlays::friendComes,
                    NeighbourPlays::strangerBecomesFriend,
                    NeighbourPlays::friendEntersDomain,
                    NeighbourPlays::foeGoes,
                    NeighbourPlays::foeIsReconciled,
                    NeighbourPlays::shunnerGoes,
                    NeighbourPlays::waitingIsNoLongerShunned,
                    NeighbourPlays::countedPodGoes,
                    NeighbourPlays::countedPodCountsNoLonger,
                    NeighbourPlays::nodeEntersDomain,
                    NeighbourPlays::emptyDomainGoes);

    private static final String RACK = "rack";

    private NeighbourPlays() {}

    private static Play friendComes(Stage stage) {
        var friend = stage.occupant().label("app", stage.app()).build();
        var waiting = stage.actor("w").near(Node.HOSTNAME_LABEL, "app", stage.app()).build();
        return stage.play("a friend that comes", null, waiting, () -> stage.enter(friend));
    }

    private static Play strangerBecomesFriend(Stage stage) {
        var stranger = stage.occupant().build();
        var waiting = stage.actor("w").near(Node.HOSTNAME_LABEL, "app", stage.app()).build();
        return stage.play(
                "a pod that becomes a friend",
                stranger,
                waiting,
                () -> stage.relabel(stranger, "app", stage.app()));
    }

    private static Play friendEntersDomain(Stage stage) {
        var friend = stage.occupant().label("app", stage.app()).build();
        var waiting = stage.actor("w").near(RACK, "app", stage.app()).build();
        return stage.play(
                "a node that enters the domain",
                friend,
                waiting,
                () -> stage.change(node -> Stage.labelled(Stage.grown(node), RACK, stage.name())));
    }

    private static Play foeGoes(Stage stage) {
        var foe = stage.occupant().label("app", stage.app()).build();
        var waiting = stage.actor("w").away(Node.HOSTNAME_LABEL, "app", stage.app()).build();
        return stage.play("a foe that goes", foe, waiting, () -> stage.leave(foe));
    }

    private static Play foeIsReconciled(Stage stage) {
        var foe = stage.occupant().label("app", stage.app()).build();
        var waiting = stage.actor("w").away(Node.HOSTNAME_LABEL, "app", stage.app()).build();
        return stage.play(
                "a foe that is one no longer",
                foe,
                waiting,
                () -> stage.relabel(foe, "app", "peace"));
    }

    private static Play shunnerGoes(Stage stage) {
        var shunner = stage.occupant().away(Node.HOSTNAME_LABEL, "app", stage.app()).build();
        var waiting = stage.actor("w").label("app", stage.app()).build();
        return stage.play(
                "the going of a pod that shuns it", shunner, waiting, () -> stage.leave(shunner));
    }

    private static Play waitingIsNoLongerShunned(Stage stage) {
        var shunner = stage.occupant().away(Node.HOSTNAME_LABEL, "app", stage.app()).build();
        var waiting = stage.actor("w").label("app", stage.app()).build();
        return stage.play(
                "its own label", shunner, waiting, () -> stage.relabel(waiting, "app", "peace"));
    }

    private static Play countedPodGoes(Stage stage) {
        var counted = stage.occupant().label("app", stage.app()).build();
        return stage.play(
                "a counted pod that goes",
                counted,
                spread(stage, Node.HOSTNAME_LABEL),
                () -> stage.leave(counted));
    }

    private static Play countedPodCountsNoLonger(Stage stage) {
        var counted = stage.occupant().label("app", stage.app()).build();
        return stage.play(
                "a counted pod that counts no longer",
                counted,
                spread(stage, Node.HOSTNAME_LABEL),
                () -> stage.relabel(counted, "app", "peace"));
    }

    private static Play nodeEntersDomain(Stage stage) {
        return stage.play(
                "a node that enters a domain",
                null,
                spread(stage, RACK),
                () -> stage.change(node -> Stage.labelled(Stage.grown(node), RACK, stage.name())));
    }

    /// A pod that must not make one domain fuller than another by more than one. Where there are
    /// fewer than two domains, another one counts as empty.
    private static Pod spread(Stage stage, String topologyKey) {
        return stage.actor("w")
                .label("app", stage.app())
                .spread(
                        new TopologySpreadConstraint(
                                1,
                                topologyKey,
                                true,
                                LabelSelector.matching("app", stage.app()),
                                2,
                                true,
                                false,
                                List.of()))
                .build();
    }

    /// Nobody can go to the empty domain, but it counts until it is gone.
    private static Play emptyDomainGoes(Stage stage) {
        var counted = stage.occupant().label("app", stage.app()).cpu("1500m").build();
        var empty = stage.annex().label(RACK, "b").unschedulable().build();
        var waiting =
                stage.actor("w")
                        .label("app", stage.app())
                        .spread(1, RACK, true, LabelSelector.matching("app", stage.app()))
                        .build();
        return new Play(
                "an empty domain that goes",
                () -> {
                    stage.put(stage.node().label(RACK, "a").build());
                    stage.put(empty);
                    stage.enter(counted);
                    stage.enter(waiting);
                },
                () -> stage.remove(empty),
                waiting.key());
    }
}
