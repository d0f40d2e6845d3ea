package io.berth.sim.workload;

import io.berth.sim.cluster.ApiServer;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Plays about everything that wakes a waiting pod. Helpful changes come together with others that
/// do not matter, as they do in a cluster.
public final class Plays {
    private static final List<Function<Stage, Play>> ALL =
            Stream.of(
                            RoomPlays.ALL,
                            NodePlays.ALL,
                            NeighbourPlays.ALL,
                            QueuePlays.ALL,
                            VolumePlays.ALL,
                            BindingPlays.ALL)
                    .flatMap(List::stream)
                    .toList();

    private final List<Function<Stage, Play>> plays;
    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;
    private @Nullable Stage last;
    private int number;

    /// @param hasDevices whether the half of them is about devices
    public Plays(
            ApiServer server,
            VirtualTime time,
            Chance chance,
            boolean hasDevices,
            Consumer<String> story) {
        this.plays = hasDevices ? withDevices() : ALL;
        this.server = server;
        this.time = time;
        this.chance = chance;
        this.story = story;
    }

    /// As many about devices as about all else.
    private static List<Function<Stage, Play>> withDevices() {
        var all = new ArrayList<>(ALL);
        for (int i = 0; i < ALL.size(); i++) {
            all.add(DevicePlays.ALL.get(i % DevicePlays.ALL.size()));
        }
        return List.copyOf(all);
    }

    /// Another play; what is left of the last one goes.
    public Play next() {
        if (last != null) {
            last.clear();
        }
        var stage = new Stage(number++, server, time, chance, story);
        last = stage;
        return chance.oneOf(plays).apply(stage);
    }
}
