package io.berth.sim.device;

import io.berth.api.device.Device;
import io.berth.api.device.Reach;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.Taint;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.storage.VolumeController;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Drivers that publish their devices: whole ones on boards (`gpu.sim`) and partitions that share
/// what they are made of (`part.sim`), each with a pool per node, and links that several claims
/// share (`net.sim`), in one pool for all nodes or those of a zone.
///
/// A pool is published slice by slice, so it is incomplete for a while; a new generation begins
/// with one slice while the others are still of the last. A driver that dies takes its slices away.
public final class Drivers {
    private static final String GPU = Hardware.GPU;
    private static final String PART = Hardware.PART;
    private static final String NET = Hardware.NET;
    private static final String FABRIC = "fabric";

    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;

    /// By driver and pool.
    private final Map<String, Long> generations = new HashMap<>();

    public Drivers(ApiServer server, VirtualTime time, Chance chance, Consumer<String> story) {
        this.server = server;
        this.time = time;
        this.chance = chance;
        this.story = story;
    }

    /// Publishes what a node has, a new generation of it where there was some.
    public void publish(String node) {
        if (chance.happens(0.7)) {
            publishBoards(node);
        }
        if (chance.happens(0.4)) {
            publishParts(node);
        }
    }

    private void publishBoards(String node) {
        var all = new ArrayList<Device>();
        int count = chance.between(1, 4);
        for (int i = 0; i < count; i++) {
            all.add(board("gpu" + i, chance.happens(0.15)));
        }
        int slices = count > 1 && chance.happens(0.4) ? 2 : 1;
        var pool = new ResourceSlice.Pool(node, nextGeneration(GPU, node), slices);
        var parts = new ArrayList<ResourceSlice>();
        for (int i = 0; i < slices; i++) {
            var own = i == 0 ? all.subList(0, slices == 1 ? count : 1) : all.subList(1, count);
            parts.add(
                    Hardware.slice(
                            "gpu-" + node + "-" + i, GPU, pool, Reach.of(node), own, List.of()));
        }
        publish(GPU, node, parts);
    }

    private Device board(String name, boolean isWorn) {
        var model = chance.oneOf("big", "small", "small");
        long board = chance.between(0, 1);
        return Hardware.gpu(name, model, board, isWorn ? List.of(worn()) : List.of());
    }

    private Taint worn() {
        return Hardware.worn(
                chance.oneOf(Taint.NO_SCHEDULE, Taint.NO_EXECUTE, Taint.PREFER_NO_SCHEDULE));
    }

    /// A whole device, its halves and a quarter, of which together no more can be had than there
    /// is.
    private void publishParts(String node) {
        var pool = new ResourceSlice.Pool(node, nextGeneration(PART, node), 2);
        var counters =
                Hardware.slice(
                        "part-" + node + "-c",
                        PART,
                        pool,
                        Reach.of(node),
                        List.of(),
                        List.of(Hardware.memory(chance.between(2, 5))));
        var devices = new ArrayList<Device>();
        devices.add(Hardware.part("quarter", 1));
        devices.add(Hardware.part("half0", 2));
        devices.add(Hardware.part("half1", 2));
        if (chance.happens(0.5)) {
            devices.add(Hardware.part("whole", 4));
        }
        publish(
                PART,
                node,
                List.of(
                        counters,
                        Hardware.slice(
                                "part-" + node + "-d",
                                PART,
                                pool,
                                Reach.of(node),
                                devices,
                                List.of())));
    }

    /// Links for all nodes, or for those of a zone.
    public void publishFabric() {
        var reach =
                chance.happens(0.5)
                        ? Reach.everywhere()
                        : new Reach(
                                "",
                                false,
                                VolumeController.labelled(
                                        Node.ZONE_LABEL, "z" + chance.between(0, 2)));
        var pool = new ResourceSlice.Pool(FABRIC, nextGeneration(NET, FABRIC), 1);
        var links = new ArrayList<Device>();
        int count = chance.between(1, 2);
        for (int i = 0; i < count; i++) {
            links.add(Hardware.link("link" + i, chance.between(6, 12)));
        }
        publish(
                NET,
                FABRIC,
                List.of(Hardware.slice("net-fabric", NET, pool, reach, links, List.of())));
    }

    private long nextGeneration(String driver, String pool) {
        return generations.merge(driver + "/" + pool, 1L, Long::sum);
    }

    /// One slice after the other; those that there are no more of go last. Where a newer generation
    /// overtakes it, or the driver dies, the rest is not published any more.
    private void publish(String driver, String pool, List<ResourceSlice> slices) {
        long generation = generations.getOrDefault(driver + "/" + pool, 0L);
        story.accept("publishes " + driver + "/" + pool + " " + generation + ": " + slices.size());
        for (int i = 0; i < slices.size(); i++) {
            var slice = slices.get(i);
            if (i == 0 || chance.happens(0.3)) {
                server.put(slice);
            } else {
                time.in(chance.between(1, 1500), () -> putIfNewest(slice));
            }
        }
        time.in(
                1500,
                () -> {
                    if (isNewest(driver, pool, generation)) {
                        removeOlder(driver, pool, generation);
                    }
                });
    }

    private boolean isNewest(String driver, String pool, long generation) {
        return generations.getOrDefault(driver + "/" + pool, 0L) == generation;
    }

    private void putIfNewest(ResourceSlice slice) {
        if (isNewest(slice.driver(), slice.pool().name(), slice.pool().generation())) {
            server.put(slice);
        }
    }

    private void removeOlder(String driver, String pool, long generation) {
        for (var slice : slices()) {
            if (slice.driver().equals(driver)
                    && slice.pool().name().equals(pool)
                    && slice.pool().generation() < generation) {
                server.remove(Kind.RESOURCE_SLICE, slice.name());
            }
        }
    }

    /// Those of these drivers; plays have their own.
    private List<ResourceSlice> slices() {
        return server.list(Kind.RESOURCE_SLICE).stream()
                .map(stored -> (ResourceSlice) stored.object())
                .filter(slice ->
                        generations.containsKey(slice.driver() + "/" + slice.pool().name()))
                .toList();
    }

    /// A driver dies, and its slices are taken away.
    public void die() {
        var all = slices();
        if (!all.isEmpty()) {
            var one = chance.oneOf(all);
            remove(one.driver(), one.pool().name());
        }
    }

    private void remove(String driver, String pool) {
        story.accept("dies " + driver + "/" + pool);
        removeOlder(driver, pool, nextGeneration(driver, pool));
    }

    /// Nodes that are no more have no devices.
    public void collect() {
        for (var slice : slices()) {
            var node = slice.nodes().nodeName();
            if (!node.isEmpty() && server.node(node) == null) {
                remove(slice.driver(), slice.pool().name());
            }
        }
    }

    /// A device gets a taint, or loses it.
    public void taint() {
        var boards = slices().stream().filter(slice -> slice.driver().equals(GPU)).toList();
        if (boards.isEmpty()) {
            return;
        }
        var slice = chance.oneOf(boards);
        var devices = new ArrayList<>(slice.devices());
        int index = chance.between(0, devices.size() - 1);
        var device = devices.get(index);
        devices.set(
                index,
                new Device(
                        device.name(),
                        device.attributes(),
                        device.capacity(),
                        device.consumes(),
                        device.nodes(),
                        device.taints().isEmpty() ? List.of(worn()) : List.of(),
                        device.bindsToNode(),
                        device.bindingConditions(),
                        device.bindingFailureConditions(),
                        device.isShareable()));
        story.accept("~ device " + slice.pool().name() + "/" + device.name());
        server.put(
                Hardware.slice(
                        slice.name(),
                        slice.driver(),
                        slice.pool(),
                        slice.nodes(),
                        devices,
                        slice.sharedCounters()));
    }
}
