package io.berth.engine;

import io.berth.engine.query.Books;

/// A look into an engine's books, for those who check them: simulator and tests. Whoever merely
/// wants to know something asks [Engine#queries].
public final class Inspection {
    private Inspection() {}

    /// Engine thread only.
    public static Books of(Engine engine) {
        return engine.books();
    }
}
