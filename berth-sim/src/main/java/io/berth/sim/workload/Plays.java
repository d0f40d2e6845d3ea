package io.berth.sim.workload;

import io.berth.sim.cluster.ApiServer;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
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

    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;
    private @Nullable Stage last;
    private int number;

    public Plays(ApiServer server, VirtualTime time, Chance chance, Consumer<String> story) {
        this.server = server;
        this.time = time;
        this.chance = chance;
        this.story = story;
    }

    /// Another play; what is left of the last one goes.
    public Play next() {
        if (last != null) {
            last.clear();
        }
        var stage = new Stage(number++, server, time, chance, story);
        last = stage;
        return chance.oneOf(ALL).apply(stage);
    }
}
