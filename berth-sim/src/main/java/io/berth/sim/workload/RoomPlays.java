package io.berth.sim.workload;

import io.berth.api.model.Pod;
import java.util.List;
import java.util.function.Function;

/// Plays about room on a node.
final class RoomPlays {
    static final List<Function<Stage, Play>> ALL =
            List.of(
                    RoomPlays::occupantGoes,
                    RoomPlays::occupantGoesOnItsWay,
                    RoomPlays::occupantFinishes,
                    RoomPlays::occupantShrinks,
                    RoomPlays::waitingShrinks,
                    RoomPlays::nodeGetsMoreCpu,
                    RoomPlays::nodeGetsMoreMemory,
                    RoomPlays::nodeTakesMorePods,
                    RoomPlays::portIsFreed);

    private RoomPlays() {}

    private static Play occupantGoes(Stage stage) {
        var occupant = stage.occupant().cpu("1500m").build();
        var waiting = stage.actor("w").cpu("1").build();
        return stage.play("a pod that goes", occupant, waiting, () -> stage.leave(occupant));
    }

    /// It goes while it is being bound, if all goes well; else it finishes first.
    private static Play occupantGoesOnItsWay(Stage stage) {
        var occupant = stage.occupant().cpu("1500m").build();
        var waiting = stage.actor("w").cpu("1").build();
        return new Play(
                "a pod that goes on its way",
                () -> stage.put(stage.node().build()),
                () -> {
                    stage.enter(occupant);
                    stage.enter(waiting);
                    stage.within(30, () -> stage.leave(occupant));
                },
                waiting.key());
    }

    private static Play occupantFinishes(Stage stage) {
        var occupant = stage.occupant().memory("1Gi").build();
        var waiting = stage.actor("w").memory("1500Mi").build();
        return stage.play(
                "a pod that finishes",
                occupant,
                waiting,
                () -> stage.change(occupant, pod -> pod.toBuilder().phase("Succeeded").build()));
    }

    private static Play occupantShrinks(Stage stage) {
        var occupant = stage.occupant().cpu("1500m").build();
        var waiting = stage.actor("w").cpu("1").build();
        return stage.play("a pod that shrinks", occupant, waiting, () -> shrink(stage, occupant));
    }

    private static Play waitingShrinks(Stage stage) {
        var waiting = stage.actor("w").cpu("3").build();
        return stage.play("its own shrinking", null, waiting, () -> shrink(stage, waiting));
    }

    private static void shrink(Stage stage, Pod pod) {
        stage.respec(pod, stage.actor("w").priority(pod.spec().priority()).cpu("100m").build());
    }

    private static Play nodeGetsMoreCpu(Stage stage) {
        var waiting = stage.actor("w").cpu("3").build();
        return stage.play(
                "more cpu",
                null,
                waiting,
                () -> stage.change(node -> Stage.resized(node, 4000, 2 << 10, 4)));
    }

    private static Play nodeGetsMoreMemory(Stage stage) {
        var waiting = stage.actor("w").memory("3Gi").build();
        return stage.play(
                "more memory",
                null,
                waiting,
                () -> stage.change(node -> Stage.resized(node, 2000, 4 << 10, 4)));
    }

    private static Play nodeTakesMorePods(Stage stage) {
        var occupant = stage.occupant().build();
        var waiting = stage.actor("w").build();
        return new Play(
                "room for more pods",
                () -> {
                    stage.put(stage.node().pods(1).build());
                    stage.enter(occupant);
                    stage.enter(waiting);
                },
                () -> stage.change(node -> Stage.resized(node, 2000, 2 << 10, 2)),
                waiting.key());
    }

    private static Play portIsFreed(Stage stage) {
        var occupant = stage.occupant().hostPort(80).build();
        var waiting = stage.actor("w").hostPort(80).build();
        return stage.play("a freed port", occupant, waiting, () -> stage.leave(occupant));
    }
}
