package io.berth.engine.journal;

import io.berth.api.handle.Extender;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongSupplier;

/// The journal of an engine that lives through another one's: looks and extenders answer what is on
/// record, and the decisions are kept. Owned by the engine thread.
public final class Rereading implements Journal {
    private final Queue<Long> answers = new ArrayDeque<>();
    private final Map<String, Queue<Object>> extended = new HashMap<>();
    private final List<Decision> decisions = new ArrayList<>();
    private boolean isOver;

    public Rereading(List<Entry> entries) {
        for (var entry : entries) {
            switch (entry) {
                case Entry.Answer(var value) -> answers.add(value);
                case Entry.Extended(var extender, var answer) ->
                        extended.computeIfAbsent(extender, _ -> new ArrayDeque<>()).add(answer);
                case Entry.Begin _, Entry.Told _, Entry.Decided _, Entry.Step _ -> {}
            }
        }
    }

    /// What the engine decided so far.
    public List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    /// The record has come to its end: from here on the engine looks for itself.
    public void end() {
        isOver = true;
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public long answer(LongSupplier look) {
        var answer = answers.poll();
        if (answer == null) {
            if (isOver) {
                return look.getAsLong();
            }
            throw new IllegalStateException("a look that is not on record");
        }
        return answer;
    }

    @Override
    public Extender seen(Extender extender) {
        return new ReplayedExtender(
                extender, extended.getOrDefault(extender.name(), new ArrayDeque<>()));
    }

    @Override
    public void decided(Decision decision) {
        decisions.add(decision);
    }
}
