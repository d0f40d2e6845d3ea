package io.berth.apiserver;

import io.berth.apiserver.registry.DefinitionReaper;
import io.berth.apiserver.registry.EventExpiry;
import io.berth.apiserver.registry.NamespaceReaper;
import io.berth.apiserver.watch.Watches;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The chores: emptying namespaces and kinds that go, expiring events, cutting off clients that do
/// not read. One daemon thread does them all.
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration EMPTYING_INTERVAL = Duration.ofMillis(100);
    private static final Duration EVENT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration WATCH_INTERVAL = Duration.ofMillis(500);

    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("apiserver-housekeeping").factory());
    private final NamespaceReaper namespaces;
    private final DefinitionReaper definitions;
    private final EventExpiry events;
    private final Watches watches;
    private final Duration slowWatchPatience;

    Housekeeping(
            NamespaceReaper namespaces,
            DefinitionReaper definitions,
            EventExpiry events,
            Watches watches,
            Duration slowWatchPatience) {
        this.namespaces = namespaces;
        this.definitions = definitions;
        this.events = events;
        this.watches = watches;
        this.slowWatchPatience = slowWatchPatience;
    }

    void start() {
        every(EMPTYING_INTERVAL, namespaces::sweep);
        every(EMPTYING_INTERVAL, definitions::sweep);
        every(EVENT_INTERVAL, events::sweep);
        every(WATCH_INTERVAL, () -> watches.cutOffStuck(slowWatchPatience));
    }

    private void every(Duration interval, Runnable chore) {
        var _ =
                executor.scheduleWithFixedDelay(
                        () -> guarded(chore),
                        interval.toMillis(),
                        interval.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /// A chore that fails once must be tried again; an escaping exception would end it for good.
    private static void guarded(Runnable chore) {
        try {
            chore.run();
        } catch (RuntimeException e) {
            LOG.error("Housekeeping failed", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
