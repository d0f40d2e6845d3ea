package io.berth.apiserver.http;

import io.berth.apiserver.registry.ListOptions;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.store.ObjectPath;
import io.berth.apiserver.store.Page;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.watch.ObjectForm;
import io.berth.apiserver.watch.WatchOutput;
import io.berth.apiserver.watch.WatchSession;
import io.berth.apiserver.watch.Watches;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/// Starts watches and gives them their thread and their stream.
final class WatchHandler {
    private static final Duration SHORTEST_DEFAULT = Duration.ofMinutes(30);
    private static final int BUFFER_BYTES = 16 * 1024;

    private final Store store;
    private final Watches watches;
    private final Duration bookmarkInterval;

    WatchHandler(Store store, Watches watches, Duration bookmarkInterval) {
        this.store = store;
        this.watches = watches;
        this.bookmarkInterval = bookmarkInterval;
    }

    /// Where a watch begins.
    private record Start(long revision, @Nullable Page initial) {}

    /// Serves a watch until it ends.
    ///
    /// @param abort ends the connection under a client that does not read
    void watch(Exchange exchange, ResourcePath path, ObjectForm form, Runnable abort)
            throws IOException {
        ListOptions options = QueryOptions.list(exchange, path, true);
        View view = View.of(path.type());
        Start start = start(view, path, options);
        if (Disconnects.usesUpConnection(exchange.request())) {
            exchange.responseHeader(HttpHeader.CONNECTION, "close");
        }
        WatchOutput output = output(exchange);
        var session =
                new WatchSession(
                        store,
                        new WatchSession.Subject(view, path.namespace(), options, form),
                        new WatchSession.Timing(
                                System.nanoTime() + timeout(options).toNanos(),
                                bookmarkInterval.toNanos()),
                        output);
        Disconnects.onDisconnect(exchange.request(), session::cancel);
        if (!watches.add(session, abort)) {
            return;
        }
        try {
            session.run(start.revision(), start.initial());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watches.remove(session);
        }
    }

    private Start start(View view, ResourcePath path, ListOptions options) {
        String version = options.resourceVersion();
        long asked = version.isEmpty() ? 0 : QueryOptions.version(version);
        boolean initial = options.sendInitialEvents().orElse(asked == 0);
        if (initial) {
            Page page = store.list(view.storage(), ObjectPath.prefix(path.namespace()));
            if (asked > page.revision()) {
                throw ApiErrors.tooLargeResourceVersion(asked, page.revision());
            }
            return new Start(page.revision(), page);
        }
        if (asked == 0) {
            return new Start(store.revision(), null);
        }
        long dropped = store.log(view.storage()).droppedRevision();
        if (asked < dropped) {
            throw ApiErrors.expired(WatchSession.tooOld(asked, dropped));
        }
        return new Start(asked, null);
    }

    private static Duration timeout(ListOptions options) {
        if (options.timeoutSeconds() > 0) {
            return Duration.ofSeconds(Math.min(options.timeoutSeconds(), 1_000_000));
        }
        // Spread out, so that watches opened together do not all come back together.
        return SHORTEST_DEFAULT.plusMillis(
                ThreadLocalRandom.current().nextLong(SHORTEST_DEFAULT.toMillis()));
    }

    private static WatchOutput output(Exchange exchange) throws IOException {
        OutputStream out =
                new BufferedOutputStream(exchange.stream(200, "application/json"), BUFFER_BYTES);
        return new WatchOutput() {
            @Override
            public void write(byte[] bytes) throws IOException {
                out.write(bytes);
            }

            @Override
            public void flush() throws IOException {
                out.flush();
            }
        };
    }
}
