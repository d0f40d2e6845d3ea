package io.berth.engine;

import io.berth.api.handle.Extender;
import io.berth.api.handle.Log;
import io.berth.api.write.Receipt;
import io.berth.engine.framework.Registry;
import io.berth.engine.journal.Decision;
import io.berth.engine.journal.Entry;
import io.berth.engine.journal.Rereading;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.TimeSource;
import io.berth.engine.port.Workers;
import java.util.List;

/// Tells a fresh engine what a journal says that another was told.
///
/// Its tasks never run, so nothing is written and nobody is asked: what came of them is in the
/// journal. The same profiles give the same decisions.
public final class Replay {
    private final Rereading journal;
    private final Time time = new Time();
    private final Engine engine;

    private Replay(
            List<Entry> entries,
            EngineSettings settings,
            Registry registry,
            List<Extender> extenders) {
        if (!(entries.getFirst() instanceof Entry.Begin begin)) {
            throw new IllegalArgumentException("a journal begins with how its engine began");
        }
        time.nowMillis = begin.nowMillis();
        journal = new Rereading(entries);
        engine =
                new Engine(
                        settings,
                        registry,
                        new Ports(
                                        time,
                                        begin.seed(),
                                        (name, task) -> {},
                                        Workers.NONE,
                                        (write, departure) -> Receipt.WITHDRAWN,
                                        (event, related) -> {},
                                        new Timed(begin.isTimed()),
                                        QueueMetrics.NONE,
                                        Log.NONE)
                                .withExtenders(extenders)
                                .withJournal(journal));
        engine.adopt();
    }

    /// @return what the fresh engine decided
    /// @see #of
    public static List<Decision> run(
            List<Entry> entries,
            EngineSettings settings,
            Registry registry,
            List<Extender> extenders) {
        return of(entries, settings, registry, extenders).journal.decisions();
    }

    /// Replays a journal. The calling thread is the fresh engine's.
    ///
    /// @param entries all of a journal, from its engine's beginning
    /// @param extenders as the journal's engine had them; they are not called
    public static Replay of(
            List<Entry> entries,
            EngineSettings settings,
            Registry registry,
            List<Extender> extenders) {
        var replay = new Replay(entries, settings, registry, extenders);
        entries.forEach(replay::follow);
        replay.journal.end();
        return replay;
    }

    /// The fresh engine, as the other one was when its journal ended. It goes on writing nothing.
    public Engine engine() {
        return engine;
    }

    private void follow(Entry entry) {
        switch (entry) {
            case Entry.Told(var message) -> engine.tellAgain(message);
            case Entry.Step(_, var nowMillis, var wallMillis) -> step(nowMillis, wallMillis);
            case Entry.Begin _, Entry.Answer _, Entry.Extended _, Entry.Decided _ -> {}
        }
    }

    private void step(long nowMillis, long wallMillis) {
        time.nowMillis = nowMillis;
        time.wallMillis = wallMillis;
        try {
            var _ = engine.step();
        } catch (RuntimeException _) {
            // A mistake ends a step, here as there.
        }
    }

    /// What the journal's engine saw of its clock.
    private static final class Time implements TimeSource {
        private long nowMillis;
        private long wallMillis;

        @Override
        public long nowMillis() {
            return nowMillis;
        }

        @Override
        public long wallMillis() {
            return wallMillis;
        }

        @Override
        public long nanos() {
            return 0;
        }
    }

    private record Timed(boolean isOn) implements EngineMetrics {}
}
