package io.berth.engine.framework;

import io.berth.api.plugin.Log;
import io.berth.api.plugin.Nominations;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.TimeSource;
import io.berth.engine.port.Workers;
import io.berth.engine.state.ClusterState;

/// What the search for a node needs from outside its profile.
public record SearchSurroundings(
        ClusterState state,
        Nominations nominations,
        Rotation rotation,
        Extenders extenders,
        Workers workers,
        TimeSource time,
        EngineMetrics metrics,
        Log log) {}
