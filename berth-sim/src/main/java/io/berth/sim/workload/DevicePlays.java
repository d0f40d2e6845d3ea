package io.berth.sim.workload;

import io.berth.api.device.CounterSet;
import io.berth.api.device.Device;
import io.berth.api.device.Reach;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.Taint;
import io.berth.sim.device.ClaimController;
import io.berth.sim.device.ClaimShapes;
import io.berth.sim.device.Hardware;
import io.berth.sim.plain.PlainSelector;
import io.berth.sim.storage.VolumeController;
import java.util.List;
import java.util.function.Function;

/// Plays about devices, in lives that have them. Each has a class and pools of its own.
final class DevicePlays {
    static final List<Function<Stage, Play>> ALL =
            List.of(
                    DevicePlays::sliceComes,
                    DevicePlays::poolIsCompleted,
                    DevicePlays::deviceIsAdded,
                    DevicePlays::deviceMoves,
                    DevicePlays::generationChanges,
                    DevicePlays::taintGoes,
                    DevicePlays::nodeComesInReach,
                    DevicePlays::classComes,
                    DevicePlays::classWidens,
                    DevicePlays::claimComes,
                    DevicePlays::deviceIsFreed,
                    DevicePlays::partIsFreed,
                    DevicePlays::shareIsFreed,
                    DevicePlays::claimIsDeleted);

    private DevicePlays() {}

    // --- slices

    private static Play sliceComes(Stage stage) {
        return waiting(
                stage,
                "devices of its node",
                "one",
                () -> stage.put(gpus(stage, "a", 0, 1, small("gpu0", 0))));
    }

    private static Play poolIsCompleted(Stage stage) {
        return waiting(
                stage,
                "the rest of a pool",
                "one",
                () -> stage.put(gpus(stage, "b", 0, 2, small("gpu1", 0))),
                gpus(stage, "a", 0, 2, small("gpu0", 0)));
    }

    private static Play deviceIsAdded(Stage stage) {
        return waiting(
                stage,
                "a device that is added",
                "pair",
                () -> stage.put(gpus(stage, "a", 0, 1, small("gpu0", 0), small("gpu1", 0))),
                gpus(stage, "a", 0, 1, small("gpu0", 0)));
    }

    private static Play deviceMoves(Stage stage) {
        return waiting(
                stage,
                "a device that moves to the other's board",
                "pair",
                () -> stage.put(gpus(stage, "a", 0, 1, small("gpu0", 0), small("gpu1", 0))),
                gpus(stage, "a", 0, 1, small("gpu0", 0), small("gpu1", 1)));
    }

    /// What there was of the old generation counts no more, and so half a pool is a whole one.
    private static Play generationChanges(Stage stage) {
        return waiting(
                stage,
                "a new generation",
                "one",
                () -> stage.put(gpus(stage, "b", 1, 1, small("gpu1", 0))),
                gpus(stage, "a", 0, 2, small("gpu0", 0)));
    }

    private static Play taintGoes(Stage stage) {
        var worn = List.of(Hardware.worn(Taint.NO_SCHEDULE));
        return waiting(
                stage,
                "a taint that goes",
                "one",
                () -> stage.put(gpus(stage, "a", 0, 1, small("gpu0", 0))),
                gpus(stage, "a", 0, 1, Hardware.gpu("gpu0", "small", 0, worn)));
    }

    private static Play nodeComesInReach(Stage stage) {
        var reach = new Reach("", false, VolumeController.labelled(Node.ZONE_LABEL, stage.name()));
        return waiting(
                stage,
                "the node's move to where the devices are",
                "one",
                () -> stage.change(node -> Stage.labelled(node, Node.ZONE_LABEL, stage.name())),
                Hardware.slice(
                        stage.name() + "-a",
                        Hardware.GPU,
                        new ResourceSlice.Pool(stage.name(), 0, 1),
                        reach,
                        List.of(small("gpu0", 0)),
                        List.of()));
    }

    // --- classes and claims

    private static Play classComes(Stage stage) {
        return waiting(
                stage,
                "the class of its claim",
                () -> stage.put(deviceClass(stage, PlainSelector.GPU)),
                () -> {
                    stage.put(gpus(stage, "a", 0, 1, small("gpu0", 0)));
                    stage.put(claim(stage, "w", "one"));
                });
    }

    private static Play classWidens(Stage stage) {
        return waiting(
                stage,
                "a class that means more",
                () -> stage.put(deviceClass(stage, PlainSelector.GPU)),
                () -> {
                    stage.put(deviceClass(stage, PlainSelector.BIG));
                    stage.put(gpus(stage, "a", 0, 1, small("gpu0", 0)));
                    stage.put(claim(stage, "w", "one"));
                });
    }

    private static Play claimComes(Stage stage) {
        return waiting(
                stage,
                "its claim for devices",
                () -> stage.put(claim(stage, "w", "one")),
                () -> {
                    stage.put(deviceClass(stage, PlainSelector.GPU));
                    stage.put(gpus(stage, "a", 0, 1, small("gpu0", 0)));
                });
    }

    private static Play deviceIsFreed(Stage stage) {
        return taken(
                stage,
                "a device that is freed",
                PlainSelector.GPU,
                "one",
                "one",
                gpus(stage, "a", 0, 1, small("gpu0", 0)));
    }

    /// Both parts could be had, but not what they are made of.
    private static Play partIsFreed(Stage stage) {
        return taken(
                stage,
                "a part that is freed",
                PlainSelector.PART,
                "half",
                "half",
                slice(stage, "c", Hardware.PART, 2, List.of(), List.of(Hardware.memory(3))),
                slice(
                        stage,
                        "d",
                        Hardware.PART,
                        2,
                        List.of(Hardware.part("half0", 2), Hardware.part("half1", 2)),
                        List.of()));
    }

    private static Play shareIsFreed(Stage stage) {
        return taken(
                stage,
                "a share that is freed",
                PlainSelector.LINK,
                "wide",
                "link",
                slice(stage, "a", Hardware.NET, 1, List.of(Hardware.link("link0", 10)), List.of()));
    }

    /// The claim that has the device goes with its pod.
    private static Play claimIsDeleted(Stage stage) {
        var play =
                taken(
                        stage,
                        "the end of a claim that has a device",
                        PlainSelector.GPU,
                        "one",
                        "one",
                        gpus(stage, "a", 0, 1, small("gpu0", 0)));
        return new Play(
                play.help(),
                play.begin(),
                () -> {
                    var name = name(stage, "o");
                    if (stage.find(Kind.RESOURCE_CLAIM, "default/" + name)
                            instanceof ResourceClaim claim) {
                        stage.put(ClaimController.deleted(claim));
                    }
                    play.end().run();
                },
                play.waiting());
    }

    // --- props

    /// Somebody who has the devices goes.
    private static Play taken(
            Stage stage,
            String help,
            PlainSelector selector,
            String occupies,
            String wants,
            ResourceSlice... slices) {
        var occupant = user(stage, "o");
        var play = stage.play(help, occupant, user(stage, "w"), () -> stage.leave(occupant));
        return prepared(
                play,
                () -> {
                    stage.put(deviceClass(stage, selector));
                    List.of(slices).forEach(stage::put);
                    stage.put(claim(stage, "o", occupies));
                    stage.put(claim(stage, "w", wants));
                });
    }

    private static Play waiting(
            Stage stage, String help, String wants, Runnable end, ResourceSlice... slices) {
        return waiting(
                stage,
                help,
                end,
                () -> {
                    stage.put(deviceClass(stage, PlainSelector.GPU));
                    List.of(slices).forEach(stage::put);
                    stage.put(claim(stage, "w", wants));
                });
    }

    private static Play waiting(Stage stage, String help, Runnable end, Runnable props) {
        return prepared(stage.play(help, null, user(stage, "w"), end), props);
    }

    private static Play prepared(Play play, Runnable props) {
        return new Play(
                play.help(),
                () -> {
                    props.run();
                    play.begin().run();
                },
                play.end(),
                play.waiting());
    }

    private static Pod user(Stage stage, String role) {
        var pod = role.equals("o") ? stage.occupant() : stage.actor(role);
        return pod.spec(spec -> spec.resourceClaim(PodClaim.of("a", name(stage, role)))).build();
    }

    private static String name(Stage stage, String what) {
        return stage.name() + "-" + what;
    }

    private static DeviceClass deviceClass(Stage stage, PlainSelector selector) {
        return DeviceCrowd.deviceClass(stage.name(), selector);
    }

    private static ResourceClaim claim(Stage stage, String what, String shape) {
        return ClaimController.made(
                "default",
                name(stage, what),
                stage.newUid(),
                null,
                ClaimShapes.of(shape, stage.name()));
    }

    private static Device small(String name, int board) {
        return Hardware.gpu(name, "small", board, List.of());
    }

    private static ResourceSlice gpus(
            Stage stage, String what, long generation, int count, Device... devices) {
        return Hardware.slice(
                name(stage, what),
                Hardware.GPU,
                new ResourceSlice.Pool(stage.name(), generation, count),
                Reach.of(stage.name()),
                List.of(devices),
                List.of());
    }

    private static ResourceSlice slice(
            Stage stage,
            String what,
            String driver,
            int count,
            List<Device> devices,
            List<CounterSet> counters) {
        return Hardware.slice(
                name(stage, what),
                driver,
                new ResourceSlice.Pool(stage.name(), 0, count),
                Reach.of(stage.name()),
                devices,
                counters);
    }
}
