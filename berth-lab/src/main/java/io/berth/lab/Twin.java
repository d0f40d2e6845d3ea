package io.berth.lab;

import io.berth.api.handle.Extender;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
import io.berth.engine.Replay;
import io.berth.engine.framework.Registry;
import io.berth.engine.journal.Entry;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.port.FanOut;
import io.berth.engine.port.TimeSource;
import io.berth.engine.query.EngineQueries;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A second engine that knows a cluster and does nothing to it: its ports are harmless, and it
/// places no pod. It has a thread of its own, so whatever it is asked, no other engine waits.
///
/// ```java
/// var image = engine.ask(EngineQueries::image).get();
/// try (var twin = Twin.of(settings, registry, time, image)) {
///     var explanation = twin.ask(asked -> asked.explain(pod)).get();
/// }
/// ```
///
/// It judges as the engine does whose image it was filled with; see [EngineQueries#image].
/// Extenders are not asked. From any thread: what one thread tells and asks is taken in that order.
public final class Twin implements AutoCloseable {
    private static final long SEED = 1;

    /// For how long an engine is asked for its image.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// For how long a twin is filled, however large the cluster.
    private static final Duration FILLING = Duration.ofMinutes(10);

    private final OwnThread thread;
    private final Engine engine;
    private final Runnable atTheEnd;

    /// @param atTheEnd done first when it is closed
    private Twin(Engine engine, OwnThread thread, Runnable atTheEnd) {
        this.engine = engine;
        this.thread = thread;
        this.atTheEnd = atTheEnd;
    }

    private static OwnThread thread() {
        return new OwnThread();
    }

    /// The thread of a twin. What it does itself is done at once, so that whoever has much to tell
    /// and to ask may do it there, without a way to and fro for each word.
    private static final class OwnThread implements Executor {
        private volatile @Nullable Thread self;
        private final ExecutorService service =
                Executors.newSingleThreadExecutor(task -> {
                    var made = Thread.ofPlatform().name("twin").daemon(true).unstarted(task);
                    self = made;
                    return made;
                });

        @Override
        public void execute(Runnable task) {
            if (Thread.currentThread().equals(self)) {
                task.run();
            } else {
                service.execute(task);
            }
        }

        void shutdown() {
            service.shutdown();
        }
    }

    /// Makes a twin that knows all that is in an image when this returns.
    ///
    /// @throws io.berth.engine.framework.SettingsException where the profiles cannot work
    public static Twin of(
            EngineSettings settings, Registry registry, TimeSource time, ClusterImage image) {
        var twin =
                new Twin(
                        new Engine(settings, registry, HarmlessPorts.with(time, SEED)),
                        thread(),
                        () -> {});
        try {
            CompletableFuture.runAsync(() -> twin.begin(image), twin.thread)
                    .orTimeout(FILLING.toSeconds(), TimeUnit.SECONDS)
                    .join();
            return twin;
        } catch (RuntimeException | Error broken) {
            twin.close();
            throw broken;
        }
    }

    /// Makes a twin of the engine that wrote a journal, as it was when the journal ended. Time
    /// stands still there.
    ///
    /// @param entries all of a journal, from its engine's beginning
    /// @param extenders as that engine had them; they are not called
    /// @throws io.berth.engine.framework.SettingsException where the profiles cannot work
    public static Twin of(
            EngineSettings settings,
            Registry registry,
            List<Entry> entries,
            List<Extender> extenders) {
        var thread = thread();
        var engine =
                CompletableFuture.supplyAsync(
                                () -> Replay.of(entries, settings, registry, extenders).engine(),
                                thread)
                        .join();
        var twin = new Twin(engine, thread, () -> {});
        thread.execute(() -> {
            engine.pause(true);
            catchUp(engine);
        });
        return twin;
    }

    /// Makes a twin that goes on knowing the cluster that an engine knows, for as long as it is
    /// open.
    ///
    /// @param feed what the engine is fed with
    public static Twin following(
            EngineSettings settings,
            Registry registry,
            TimeSource time,
            Engine original,
            FanOut feed) {
        var engine = new Engine(settings, registry, HarmlessPorts.with(time, SEED));
        var thread = thread();
        var news = new News(engine, thread);
        var twin = new Twin(engine, thread, () -> feed.leave(news));
        var joined = new CompletableFuture<Boolean>();
        // In line before all news, but taken after joining: so nothing is missed.
        var begun =
                CompletableFuture.runAsync(
                        () -> {
                            joined.join();
                            twin.begin(image(original));
                        },
                        thread);
        feed.join(news);
        joined.complete(true);
        begun.join();
        return twin;
    }

    private void begin(ClusterImage image) {
        engine.adopt();
        engine.pause(true);
        image.fill(engine);
        engine.followedKinds().forEach(engine::synced);
        catchUp(engine);
    }

    /// Applies what the engine was told.
    private static void catchUp(Engine engine) {
        boolean worked = true;
        while (worked) {
            worked = engine.step();
        }
    }

    /// Answers a question on the twin's thread; at once where that is who asks.
    public <T> CompletableFuture<T> ask(Function<EngineQueries, T> question) {
        return CompletableFuture.supplyAsync(() -> question.apply(engine.queries()), thread);
    }

    /// The way in for what happens after the image: a twin that hears of it goes on knowing the
    /// cluster. Whoever tells it never waits.
    public ClusterFeed feed() {
        return new News(engine, thread);
    }

    private static ClusterImage image(Engine original) {
        return original.ask(EngineQueries::image)
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /// Takes news to the twin's thread.
    private record News(Engine engine, Executor thread) implements ClusterFeed {
        @Override
        public void seen(ClusterObject object) {
            tell(() -> engine.seen(object));
        }

        @Override
        public void gone(Kind kind, String namespace, String name) {
            tell(() -> engine.gone(kind, namespace, name));
        }

        @Override
        public void synced(Kind kind) {
            tell(() -> engine.synced(kind));
        }

        private void tell(Runnable news) {
            thread.execute(() -> {
                news.run();
                catchUp(engine);
            });
        }
    }

    @Override
    public void close() {
        atTheEnd.run();
        thread.execute(engine::retire);
        thread.shutdown();
    }
}
