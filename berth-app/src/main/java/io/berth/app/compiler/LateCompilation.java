package io.berth.app.compiler;

import io.berth.api.handle.Log;
import java.lang.reflect.Executable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Gives the JVM's second compiler, once the process has been at work for a while, what the first
/// was left with at the start.
///
/// A cold process cannot afford to have its edges compiled well, a process that lives for months
/// cannot afford not to ([ADR 13](docs/adr/0013-start-up-and-memory.md)). So the directives of the
/// start are taken back, the marks that they left on methods are wiped off, and the methods begin
/// anew: counted, measured, and compiled well where they are worth it. For some thousand pods that
/// costs more than it saves.
///
/// Does nothing where the JVM was not started with the options of the package.
public final class LateCompilation implements AutoCloseable {
    /// When the JVM may speak again; by then it has said what a start makes it say.
    private static final Duration START = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofSeconds(1);

    /// Methods begin anew in small crowds, since each is slow until it is compiled again.
    private static final int AT_ONCE = 50;

    private static final Duration BREATH = Duration.ofMillis(50);

    private final LongSupplier placed;
    private final Log log;
    private final CountDownLatch closed = new CountDownLatch(1);

    LateCompilation(LongSupplier placed, Log log) {
        this.placed = placed;
        this.log = log;
    }

    /// Begins to wait for the moment.
    ///
    /// @param placed how many pods have been placed so far
    public static LateCompilation begin(LongSupplier placed, Log log) {
        var late = new LateCompilation(placed, log);
        Thread.ofPlatform().name("late-compilation").daemon(true).start(late::run);
        return late;
    }

    private void run() {
        try {
            if (isClosedWithin(START)) {
                return;
            }
            switch (WhiteBox.open()) {
                case WhiteBox.Open(var box) -> releaseWhenOld(box);
                case WhiteBox.Shut(var why) ->
                        log.info(
                                1,
                                "The second compiler is left with what it had",
                                "reason",
                                why.toString());
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError unheardOf) {
            log.error(unheardOf, "The second compiler is left with what it had");
        }
    }

    private void releaseWhenOld(WhiteBox box) throws InterruptedException {
        var youth = new Youth();
        while (!youth.isOver(placed.getAsLong())) {
            if (isClosedWithin(LOOK)) {
                return;
            }
        }
        release(box);
    }

    private boolean isClosedWithin(Duration time) throws InterruptedException {
        return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// At once, whatever the process has done so far.
    void release(WhiteBox box) throws InterruptedException {
        // What the rehearsal taught about these methods is that they belong to the first compiler.
        box.setFlag("AOTReplayTraining", false);
        Diagnostics.clearDirectives();
        List<Executable> methods = CompiledMethods.of(CompiledMethods.SIMPLE);
        log.info(
                1,
                "Giving the second compiler what the first was left with",
                "methods",
                methods.size());
        for (int i = 0; i < methods.size(); i++) {
            if (i % AT_ONCE == AT_ONCE - 1 && isClosedWithin(BREATH)) {
                return;
            }
            box.restart(methods.get(i));
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
