package io.berth.engine.journal;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Looks at what others change at any time. On the engine thread, what was seen goes through the
/// journal; elsewhere a look is just that.
public final class Outside {
    private final BooleanSupplier isEngineThread;
    private final Journal journal;

    public Outside(BooleanSupplier isEngineThread, Journal journal) {
        this.isEngineThread = isEngineThread;
        this.journal = journal;
    }

    public long number(LongSupplier look) {
        return isEngineThread.getAsBoolean() ? journal.answer(look) : look.getAsLong();
    }

    public boolean is(BooleanSupplier look) {
        return isEngineThread.getAsBoolean()
                ? journal.answer(() -> look.getAsBoolean() ? 1 : 0) != 0
                : look.getAsBoolean();
    }
}
