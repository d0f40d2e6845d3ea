package io.berth.engine.port;

import java.util.function.IntConsumer;

/// Threads that help the engine during an attempt. The engine waits for them, so they see a still
/// state; each writes only what belongs to its index.
public interface Workers {
    /// Does everything on the calling thread, in order.
    Workers NONE =
            new Workers() {
                @Override
                public int parallelism() {
                    return 1;
                }

                @Override
                public void forEach(int count, IntConsumer body) {
                    for (int i = 0; i < count; i++) {
                        body.accept(i);
                    }
                }
            };

    int parallelism();

    /// Calls `body` for every index below `count` and returns when all calls have returned. The
    /// first failure (by index) is thrown after that, of whatever kind: an error, too, must not
    /// pass for work that was done.
    void forEach(int count, IntConsumer body);

    /// Like [#forEach], for few calls that mostly wait for something outside: they wait side by
    /// side, whatever the parallelism.
    default void waitForEach(int count, IntConsumer body) {
        forEach(count, body);
    }
}
