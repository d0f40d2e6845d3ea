package io.berth.engine.port;

import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Extender;
import io.berth.api.handle.Log;
import io.berth.api.handle.Recorder;
import io.berth.engine.journal.Journal;
import java.util.List;

/// Everything the engine needs from outside.
///
/// @param seed of the engine's chance: the same seed and the same messages give the same decisions
/// @param extenders services that take part in decisions, as configured
/// @param observer watches attempts; nobody as a rule
public record Ports(
        TimeSource time,
        long seed,
        Tasks tasks,
        Workers workers,
        ClusterWrites writes,
        Recorder recorder,
        EngineMetrics metrics,
        QueueMetrics queueMetrics,
        Log log,
        List<Extender> extenders,
        Journal journal,
        AttemptObserver observer) {
    public Ports {
        extenders = List.copyOf(extenders);
    }

    public Ports(
            TimeSource time,
            long seed,
            Tasks tasks,
            Workers workers,
            ClusterWrites writes,
            Recorder recorder,
            EngineMetrics metrics,
            QueueMetrics queueMetrics,
            Log log) {
        this(
                time,
                seed,
                tasks,
                workers,
                writes,
                recorder,
                metrics,
                queueMetrics,
                log,
                List.of(),
                Journal.NONE,
                AttemptObserver.NONE);
    }

    public Ports withExtenders(List<Extender> others) {
        return with(metrics, queueMetrics, others, journal, observer);
    }

    public Ports withJournal(Journal other) {
        return with(metrics, queueMetrics, extenders, other, observer);
    }

    public Ports watchedBy(AttemptObserver other) {
        return with(metrics, queueMetrics, extenders, journal, other);
    }

    public Ports meteredBy(EngineMetrics engine, QueueMetrics queue) {
        return with(engine, queue, extenders, journal, observer);
    }

    private Ports with(
            EngineMetrics newMetrics,
            QueueMetrics newQueueMetrics,
            List<Extender> newExtenders,
            Journal newJournal,
            AttemptObserver newObserver) {
        return new Ports(
                time,
                seed,
                tasks,
                workers,
                writes,
                recorder,
                newMetrics,
                newQueueMetrics,
                log,
                newExtenders,
                newJournal,
                newObserver);
    }
}
