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
    private static final List<Function<Stage, Play>> ORDINARY =
            Stream.of(
                            RoomPlays.ALL,
                            NodePlays.ALL,
                            NeighbourPlays.ALL,
                            QueuePlays.ALL,
                            VolumePlays.ALL)
                    .flatMap(List::stream)
                    .toList();

    private static final List<Function<Stage, Play>> HARSH =
            Stream.concat(ORDINARY.stream(), BindingPlays.ALL.stream()).toList();

    private final List<Function<Stage, Play>> all;

    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;
    private @Nullable Stage last;
    private int number;

    /// @param isHarsh whether claims are bound late in some
    public Plays(
            boolean isHarsh,
            ApiServer server,
            VirtualTime time,
            Chance chance,
            Consumer<String> story) {
        this.all = isHarsh ? HARSH : ORDINARY;
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
        return chance.oneOf(all).apply(stage);
    }
}
