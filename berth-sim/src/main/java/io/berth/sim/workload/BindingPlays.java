package io.berth.sim.workload;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeBuilder;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.PersistentVolumeClaimBuilder;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Volume;
import io.berth.sim.storage.VolumeController;
import java.util.List;
import java.util.function.Function;

/// Plays about claims that have no volume yet. The pod is placed in the end, which takes the
/// scheduler's writes and what [VolumeController] makes of them.
final class BindingPlays {
    static final List<Function<Stage, Play>> ALL =
            List.of(
                    BindingPlays::claimIsBound,
                    BindingPlays::volumeComes,
                    BindingPlays::volumeGrows,
                    BindingPlays::volumeIsFreed,
                    BindingPlays::volumeMoves,
                    BindingPlays::nodeMoves,
                    BindingPlays::classComes,
                    BindingPlays::topologyIsAllowed,
                    BindingPlays::roomGrows,
                    BindingPlays::roomComes,
                    BindingPlays::otherNodeIsGivenUp);

    private BindingPlays() {}

    // --- props; all have the name of the stage

    private static StorageClass storageClass(Stage stage, BindingMode mode, String provisioner) {
        return LateVolumes.storageClass(stage.name(), provisioner, mode);
    }

    private static StorageClass local(Stage stage) {
        return storageClass(
                stage, BindingMode.WAIT_FOR_FIRST_CONSUMER, StorageClass.NO_PROVISIONER);
    }

    private static StorageClass made(Stage stage) {
        return storageClass(stage, BindingMode.WAIT_FOR_FIRST_CONSUMER, stage.name());
    }

    private static StorageClass madeIn(Stage stage, NodeSelector allowed) {
        var plain = made(stage);
        return new StorageClass(plain.name(), plain.provisioner(), plain.bindingMode(), allowed);
    }

    private static PersistentVolumeClaimBuilder claim(Stage stage) {
        return PersistentVolumeClaim.named("default", stage.name())
                .uid("claim-" + stage.name())
                .storageClass(stage.name())
                .accessModes(AccessMode.READ_WRITE_ONCE)
                .request(Quantity.of(2))
                .phase("Pending");
    }

    private static PersistentVolumeBuilder volume(Stage stage) {
        return PersistentVolume.named("disk-" + stage.name())
                .uid("volume-" + stage.name())
                .storageClass(stage.name())
                .capacity(Quantity.of(2))
                .accessModes(AccessMode.READ_WRITE_ONCE)
                .nodeAffinity(at(stage.name()))
                .phase("Available");
    }

    private static NodeSelector at(String node) {
        return VolumeController.labelled(Node.HOSTNAME_LABEL, node);
    }

    private static CsiStorageCapacity room(Stage stage, long size) {
        return new CsiStorageCapacity(
                "default",
                stage.name(),
                stage.name(),
                LabelSelector.matching(Node.HOSTNAME_LABEL, stage.name()),
                Quantity.of(size),
                null);
    }

    /// The pod comes last.
    private static Play play(Stage stage, String help, Runnable props, Runnable end) {
        var source = new Volume.Claim(stage.name(), false);
        var waiting =
                stage.actor("w").spec(spec -> spec.volume(new Volume("data", source))).build();
        var play = stage.play(help, null, waiting, end);
        return new Play(
                help,
                () -> {
                    props.run();
                    play.begin().run();
                },
                play.end(),
                play.waiting());
    }

    // --- plays

    private static Play claimIsBound(Stage stage) {
        return play(
                stage,
                "its claim's volume",
                () -> {
                    stage.put(
                            storageClass(
                                    stage, BindingMode.IMMEDIATE, StorageClass.NO_PROVISIONER));
                    stage.put(claim(stage).build());
                },
                () -> stage.put(volume(stage).build()));
    }

    /// The pod waits for a volume that will do for its claim.
    private static Play local(Stage stage, String help, PersistentVolume unfit) {
        return play(
                stage,
                help,
                () -> {
                    stage.put(local(stage));
                    stage.put(claim(stage).build());
                    stage.put(unfit);
                },
                () -> stage.put(volume(stage).build()));
    }

    private static Play volumeComes(Stage stage) {
        var other = volume(stage).name("other-" + stage.name()).nodeAffinity(at("elsewhere"));
        return local(stage, "a volume for its claim", other.build());
    }

    private static Play volumeGrows(Stage stage) {
        return local(stage, "a volume that grows", volume(stage).capacity(Quantity.of(1)).build());
    }

    private static Play volumeIsFreed(Stage stage) {
        var others = new ClaimReference("default", "other-" + stage.name(), "");
        return local(stage, "a volume that is freed", volume(stage).claim(others).build());
    }

    private static Play volumeMoves(Stage stage) {
        return local(
                stage, "a volume that moves", volume(stage).nodeAffinity(at("elsewhere")).build());
    }

    private static Play nodeMoves(Stage stage) {
        var there = VolumeController.labelled(Node.ZONE_LABEL, "there-" + stage.name());
        return play(
                stage,
                "a node that moves to the volume",
                () -> {
                    stage.put(local(stage));
                    stage.put(claim(stage).build());
                    stage.put(volume(stage).nodeAffinity(there).build());
                },
                () ->
                        stage.change(node ->
                                Stage.labelled(node, Node.ZONE_LABEL, "there-" + stage.name())));
    }

    private static Play classComes(Stage stage) {
        return play(
                stage,
                "its claim's class",
                () -> stage.put(claim(stage).build()),
                () -> stage.put(made(stage)));
    }

    private static Play topologyIsAllowed(Stage stage) {
        return play(
                stage,
                "a class that allows its node",
                () -> {
                    stage.put(madeIn(stage, at("elsewhere")));
                    stage.put(claim(stage).build());
                },
                () -> stage.put(madeIn(stage, at(stage.name()))));
    }

    private static Play roomGrows(Stage stage) {
        return play(
                stage,
                "more room",
                () -> {
                    stage.put(new CsiDriver(stage.name(), true, false));
                    stage.put(room(stage, 1));
                    stage.put(made(stage));
                    stage.put(claim(stage).build());
                },
                () -> stage.put(room(stage, 2)));
    }

    private static Play roomComes(Stage stage) {
        return play(
                stage,
                "room",
                () -> {
                    stage.put(new CsiDriver(stage.name(), true, false));
                    stage.put(made(stage));
                    stage.put(claim(stage).build());
                },
                () -> stage.put(room(stage, 2)));
    }

    private static Play otherNodeIsGivenUp(Stage stage) {
        return play(
                stage,
                "its claim's other node, which is given up",
                () -> {
                    stage.put(local(stage));
                    stage.put(volume(stage).build());
                    stage.put(claim(stage).selectedNode("elsewhere").build());
                },
                () -> stage.put(claim(stage).build()));
    }
}
