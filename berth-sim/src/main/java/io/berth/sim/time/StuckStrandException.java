package io.berth.sim.time;

import org.jspecify.annotations.Nullable;

/// A strand blocks where nothing can wake it.
public final class StuckStrandException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    StuckStrandException(String name, @Nullable Thread thread) {
        super("\"" + name + "\" blocks where only the engine could wake it");
        if (thread != null) {
            setStackTrace(thread.getStackTrace());
        }
    }
}
