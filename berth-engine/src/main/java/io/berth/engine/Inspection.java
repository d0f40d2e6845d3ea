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

    /// Whether something waits that the engine was told and has not taken yet: a step takes so much
    /// and no more.
    public static boolean hasNews(Engine engine) {
        return engine.hasNews();
    }
}
