package io.berth.sim.workload;

import io.berth.api.label.Labels;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.Volume;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/// Plays about volumes.
final class VolumePlays {
    static final List<Function<Stage, Play>> ALL =
            List.of(
                    VolumePlays::limitRises,
                    VolumePlays::volumeGoes,
                    VolumePlays::volumeIsDetached,
                    VolumePlays::claimComes,
                    VolumePlays::volumeComes,
                    VolumePlays::volumeMoves,
                    VolumePlays::nodeMoves,
                    VolumePlays::claimIsFreed,
                    VolumePlays::diskIsFreed);

    private static final String DRIVER = "staged";

    private VolumePlays() {}

    private static Pod with(Stage stage, String role, String claim) {
        return mounting(stage, role, new Volume.Claim(name(stage, claim), false));
    }

    private static Pod mounting(Stage stage, String role, Volume.Source source) {
        var pod = role.equals("o") ? stage.occupant() : stage.actor(role);
        return pod.spec(spec -> spec.volume(new Volume("data", source))).build();
    }

    private static String name(Stage stage, String what) {
        return stage.name() + "-" + what;
    }

    private static PersistentVolumeClaim claim(Stage stage, String what, AccessMode mode) {
        return PersistentVolumeClaim.named("default", name(stage, what))
                .boundTo(name(stage, what))
                .accessModes(mode)
                .build();
    }

    private static PersistentVolume volume(Stage stage, String what, Labels labels) {
        return PersistentVolume.named(name(stage, what))
                .source(new Volume.Csi(DRIVER, name(stage, what)))
                .labels(labels)
                .phase("Bound")
                .build();
    }

    private static void bound(Stage stage, String what) {
        stage.put(volume(stage, what, Labels.EMPTY));
        stage.put(claim(stage, what, AccessMode.READ_WRITE_ONCE));
    }

    private static CsiNode limit(Stage stage, int count) {
        return new CsiNode(stage.name(), List.of(new CsiNode.Driver(DRIVER, count)), Set.of());
    }

    /// A node that takes one volume, which the occupant has.
    private static Play full(Stage stage, String help, Consumer<Pod> end) {
        var occupant = with(stage, "o", "a");
        var waiting = with(stage, "w", "b");
        var play = stage.play(help, occupant, waiting, () -> end.accept(occupant));
        return new Play(
                help,
                () -> {
                    stage.put(limit(stage, 1));
                    bound(stage, "a");
                    bound(stage, "b");
                    play.begin().run();
                },
                play.end(),
                play.waiting());
    }

    private static Play limitRises(Stage stage) {
        return full(stage, "a limit that rises", occupant -> stage.put(limit(stage, 2)));
    }

    private static Play volumeGoes(Stage stage) {
        return full(stage, "a pod that goes with its volume", stage::leave);
    }

    private static Play volumeIsDetached(Stage stage) {
        var waiting = with(stage, "w", "b");
        var attached = name(stage, "attached");
        var play =
                stage.play(
                        "a volume that is detached",
                        null,
                        waiting,
                        () -> stage.remove(Kind.VOLUME_ATTACHMENT, attached));
        return new Play(
                play.help(),
                () -> {
                    stage.put(limit(stage, 1));
                    bound(stage, "a");
                    bound(stage, "b");
                    stage.put(
                            new VolumeAttachment(attached, DRIVER, stage.name(), name(stage, "a")));
                    play.begin().run();
                },
                play.end(),
                play.waiting());
    }

    private static Play claimComes(Stage stage) {
        return stage.play("its claim", null, with(stage, "w", "a"), () -> bound(stage, "a"));
    }

    private static Play volumeComes(Stage stage) {
        var play =
                stage.play(
                        "the volume of its claim",
                        null,
                        with(stage, "w", "a"),
                        () -> stage.put(volume(stage, "a", Labels.EMPTY)));
        return new Play(
                play.help(),
                () -> {
                    stage.put(claim(stage, "a", AccessMode.READ_WRITE_ONCE));
                    play.begin().run();
                },
                play.end(),
                play.waiting());
    }

    private static Play volumeMoves(Stage stage) {
        return elsewhere(
                stage,
                "its volume's move",
                () -> stage.put(volume(stage, "a", Labels.of(Node.ZONE_LABEL, "here"))));
    }

    private static Play nodeMoves(Stage stage) {
        return elsewhere(
                stage,
                "the node's move",
                () -> stage.change(node -> Stage.labelled(node, Node.ZONE_LABEL, "there")));
    }

    /// The volume is in another zone than the node.
    private static Play elsewhere(Stage stage, String help, Runnable end) {
        var waiting = with(stage, "w", "a");
        return new Play(
                help,
                () -> {
                    stage.put(volume(stage, "a", Labels.of(Node.ZONE_LABEL, "there")));
                    stage.put(claim(stage, "a", AccessMode.READ_WRITE_ONCE));
                    stage.put(stage.node().zone("here").build());
                    stage.enter(waiting);
                },
                end,
                waiting.key());
    }

    private static Play claimIsFreed(Stage stage) {
        var occupant = with(stage, "o", "a");
        var play =
                stage.play(
                        "a claim that is freed",
                        occupant,
                        with(stage, "w", "a"),
                        () -> stage.leave(occupant));
        return new Play(
                play.help(),
                () -> {
                    stage.put(volume(stage, "a", Labels.EMPTY));
                    stage.put(claim(stage, "a", AccessMode.READ_WRITE_ONCE_POD));
                    play.begin().run();
                },
                play.end(),
                play.waiting());
    }

    private static Play diskIsFreed(Stage stage) {
        var disk = new Volume.AwsElasticBlockStore("vol-" + stage.name(), true);
        var occupant = mounting(stage, "o", disk);
        return stage.play(
                "a disk that is freed",
                occupant,
                mounting(stage, "w", disk),
                () -> stage.leave(occupant));
    }
}
