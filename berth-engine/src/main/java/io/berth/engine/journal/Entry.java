package io.berth.engine.journal;

import io.berth.engine.message.Message;
import java.util.List;

/// One line of a journal; see [Journal] for their order.
public sealed interface Entry {
    /// How the engine began.
    record Begin(long seed, long nowMillis, boolean isTimed) implements Entry {}

    record Told(Message message) implements Entry {}

    record Answer(long value) implements Entry {}

    /// What an extender said: its answer, or the exception that it failed with.
    record Extended(String extender, Object answer) implements Entry {}

    record Decided(Decision decision) implements Entry {}

    /// The decisions among some entries.
    static List<Decision> decisions(List<Entry> entries) {
        return entries.stream()
                .filter(Decided.class::isInstance)
                .map(entry -> ((Decided) entry).decision())
                .toList();
    }

    record Step(int taken, long nowMillis, long wallMillis) implements Entry {}
}
