package io.berth.sim.workload;

import io.berth.api.model.Pod;
import java.util.List;
import java.util.function.Function;

/// Plays about what else keeps a pod waiting: nominations, gates, pods to be evicted.
final class QueuePlays {
    static final List<Function<Stage, Play>> ALL =
            List.of(
                    QueuePlays::expectingPodGoes,
                    QueuePlays::expectationIsWithdrawn,
                    QueuePlays::gateOpens,
                    QueuePlays::victimsGo);

    private QueuePlays() {}

    private static Play expectingPodGoes(Stage stage) {
        var expecting = expecting(stage);
        var waiting = stage.actor("w").priority(100).build();
        return stage.play(
                "the going of a pod that expects the node",
                expecting,
                waiting,
                () -> stage.leave(expecting));
    }

    private static Play expectationIsWithdrawn(Stage stage) {
        var expecting = expecting(stage);
        var waiting = stage.actor("w").build();
        return stage.play(
                "a nomination that is withdrawn",
                expecting,
                waiting,
                () ->
                        stage.change(
                                expecting, pod -> pod.toBuilder().nominatedNodeName("").build()));
    }

    /// A pod that expects the node, but is too large for it.
    private static Pod expecting(Stage stage) {
        return stage.occupant()
                .cpu("1000")
                .with(pod -> pod.nominatedNodeName(stage.name()))
                .build();
    }

    private static Play gateOpens(Stage stage) {
        var waiting = stage.actor("w").gate(Template.GATE).build();
        return stage.play(
                "an open gate",
                null,
                waiting,
                () -> stage.respec(waiting, stage.actor("w").build()));
    }

    /// More important than any other pod, so it gets the place in any case.
    private static Play victimsGo(Stage stage) {
        var victim = stage.actor("v").cpu("900m").build();
        var other = stage.actor("o").cpu("900m").build();
        var waiting =
                stage.actor("w")
                        .cpu("1500m")
                        .priority(1000)
                        .spec(spec -> spec.mayPreempt(true))
                        .build();
        return new Play(
                "an eviction",
                () -> {
                    stage.put(stage.node().build());
                    stage.enter(victim);
                    stage.enter(other);
                },
                () -> stage.enter(waiting),
                waiting.key());
    }
}
