package io.berth.sim.workload;

import io.berth.api.model.Pod;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import java.util.List;
import java.util.function.Function;

/// Plays about labels and taints of nodes.
final class NodePlays {
    static final List<Function<Stage, Play>> ALL =
            List.of(
                    NodePlays::nodeGetsLabel,
                    NodePlays::taintGoes,
                    NodePlays::waitingToleratesTaint,
                    NodePlays::nodeIsUncordoned,
                    NodePlays::waitingToleratesCordon);

    private NodePlays() {}

    private static Play nodeGetsLabel(Stage stage) {
        var waiting = stage.actor("w").nodeSelector("tier", "gold").build();
        return stage.play(
                "a label",
                null,
                waiting,
                () -> stage.change(node -> Stage.labelled(Stage.grown(node), "tier", "gold")));
    }

    private static Play taintGoes(Stage stage) {
        var waiting = stage.actor("w").build();
        return new Play(
                "a taint that goes",
                () -> {
                    stage.put(stage.node().taint("broken", "", Taint.NO_EXECUTE).build());
                    stage.enter(waiting);
                },
                () ->
                        stage.change(node ->
                                Stage.labelled(Stage.grown(node), "repaired", "yes").toBuilder()
                                        .taints(node.taints().subList(0, 1))
                                        .build()),
                waiting.key());
    }

    private static Play waitingToleratesTaint(Stage stage) {
        var waiting = stage.actor("w").build();
        return new Play(
                "its own toleration",
                () -> {
                    stage.put(stage.node().taint("broken", "", Taint.NO_SCHEDULE).build());
                    stage.enter(waiting);
                },
                () -> tolerate(stage, waiting, "broken"),
                waiting.key());
    }

    private static Play nodeIsUncordoned(Stage stage) {
        var waiting = stage.actor("w").build();
        return new Play(
                "the end of a cordon",
                () -> {
                    stage.put(stage.node().unschedulable().build());
                    stage.enter(waiting);
                },
                () ->
                        stage.change(node ->
                                Stage.labelled(Stage.grown(node), "repaired", "yes").toBuilder()
                                        .unschedulable(false)
                                        .build()),
                waiting.key());
    }

    private static Play waitingToleratesCordon(Stage stage) {
        var waiting = stage.actor("w").build();
        return new Play(
                "its own toleration of cordons",
                () -> {
                    stage.put(stage.node().unschedulable().build());
                    stage.enter(waiting);
                },
                () -> tolerate(stage, waiting, "node.kubernetes.io/unschedulable"),
                waiting.key());
    }

    private static void tolerate(Stage stage, Pod waiting, String taint) {
        stage.change(
                waiting,
                pod ->
                        pod.toBuilder()
                                .labels(pod.labels().with("version", "2"))
                                .spec(
                                        pod.spec().toBuilder()
                                                .toleration(
                                                        new Toleration(
                                                                taint, Toleration.EXISTS, "", ""))
                                                .build())
                                .build());
    }
}
