package io.berth.engine.search;

import io.berth.api.handle.Log;
import io.berth.api.handle.Nominations;
import io.berth.engine.port.AttemptObserver;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.TimeSource;
import io.berth.engine.port.Workers;
import io.berth.engine.state.ClusterState;

/// What the search for a node needs from outside its profile.
public record SearchContext(
        ClusterState state,
        Nominations nominations,
        Rotation rotation,
        Extenders extenders,
        Workers workers,
        TimeSource time,
        EngineMetrics metrics,
        AttemptObserver observer,
        Log log) {}
