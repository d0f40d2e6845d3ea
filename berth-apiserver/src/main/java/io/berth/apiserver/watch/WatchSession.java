package io.berth.apiserver.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.ListOptions;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.store.Change;
import io.berth.apiserver.store.ChangeLog;
import io.berth.apiserver.store.ObjectPath;
import io.berth.apiserver.store.Page;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One watch: reads the log of its type at its own pace and writes a line for each change that its
/// client should see.
///
/// ```
/// start ──► initial objects ──► changes, bookmarks ──► end: time is up, cancelled, server stops
///                                      └──► ERROR 410: history went on without this watch
/// ```
///
/// Runs on the thread of its request; [#cancel] and [#stuckSinceNanos] are for other threads.
public final class WatchSession {
    private static final int BATCH = 256;
    private static final byte[] END_OF_LINE = "}\n".getBytes(StandardCharsets.US_ASCII);

    private final Store store;
    private final ChangeLog log;
    private final View view;
    private final String prefix;
    private final ListOptions options;
    private final ObjectForm form;
    private final Timing timing;
    private final WatchOutput output;

    /// Everything up to here has been sent or was not for this client.
    private long cursor;

    private volatile boolean cancelled;
    private volatile long writingSinceNanos;

    /// When a session ends by itself, and how often it tells its position.
    ///
    /// @param deadlineNanos in terms of [System#nanoTime]
    public record Timing(long deadlineNanos, long bookmarkIntervalNanos) {}

    /// What is watched.
    public record Subject(View view, String namespace, ListOptions options, ObjectForm form) {}

    public WatchSession(Store store, Subject subject, Timing timing, WatchOutput output) {
        this.store = store;
        this.view = subject.view();
        this.log = store.log(view.storage());
        this.prefix = ObjectPath.prefix(subject.namespace());
        this.options = subject.options();
        this.form = subject.form();
        this.timing = timing;
        this.output = output;
    }

    /// Sends lines until the watch is over.
    ///
    /// @param from the revision to start after
    /// @param initial objects to be sent first as if they had just been added
    public void run(long from, @Nullable Page initial) throws IOException, InterruptedException {
        cursor = from;
        if (initial != null) {
            sendInitial(initial);
        }
        flush();
        long nextBookmark = System.nanoTime() + timing.bookmarkIntervalNanos();
        while (!cancelled) {
            long now = System.nanoTime();
            if (now >= timing.deadlineNanos()) {
                sendBookmark();
                return;
            }
            long revision = store.revision();
            Optional<List<Change>> changes = log.after(cursor, BATCH);
            if (changes.isEmpty()) {
                sendExpired();
                return;
            }
            if (!changes.get().isEmpty()) {
                send(changes.get());
                continue;
            }
            cursor = Math.max(cursor, revision);
            if (now >= nextBookmark) {
                sendBookmark();
                nextBookmark = System.nanoTime() + timing.bookmarkIntervalNanos();
            }
            long wait = Math.min(nextBookmark, timing.deadlineNanos()) - System.nanoTime();
            if (wait > 0) {
                log.await(cursor, wait, () -> cancelled);
            }
        }
    }

    /// Ends the watch soon; callable by any thread.
    public void cancel() {
        cancelled = true;
        log.wake();
    }

    /// Since when the client does not take what is being sent to it; 0 if it does.
    public long stuckSinceNanos() {
        return writingSinceNanos;
    }

    private void sendInitial(Page page) throws IOException {
        for (StoredObject object : page.objects()) {
            if (options.selects(object)) {
                line("ADDED", form.encode(object));
            }
            if (cancelled) {
                return;
            }
        }
        if (options.sendInitialEvents().orElse(false) && options.bookmarks()) {
            ObjectNode bookmark = bookmark(page.revision());
            Json.ensure(Json.ensure(bookmark, "metadata"), "annotations")
                    .put("k8s.io/initial-events-end", "true");
            line("BOOKMARK", form.encodeBookmark(bookmark));
        }
    }

    private void send(List<Change> changes) throws IOException {
        for (Change change : changes) {
            if (change.object().path().startsWith(prefix)) {
                send(change);
            }
            cursor = change.revision();
        }
        flush();
    }

    /// An object that begins or ceases to match the selectors comes and goes for this client.
    private void send(Change change) throws IOException {
        StoredObject previous = change.previous();
        boolean before = previous != null && options.selects(previous);
        boolean after = change.kind() != Change.Kind.DELETED && options.selects(change.object());
        if (before && after) {
            line("MODIFIED", form.encode(change.object()));
        } else if (after) {
            line("ADDED", form.encode(change.object()));
        } else if (before && previous != null) {
            StoredObject last =
                    change.kind() == Change.Kind.DELETED
                            ? change.object()
                            : previous.withRevision(change.revision());
            line("DELETED", form.encode(last));
        }
    }

    private void sendBookmark() throws IOException {
        if (options.bookmarks()) {
            line("BOOKMARK", form.encodeBookmark(bookmark(cursor)));
            flush();
        }
    }

    private ObjectNode bookmark(long revision) {
        ObjectNode bookmark =
                Json.object()
                        .put("kind", view.type().kind())
                        .put("apiVersion", view.type().apiVersion());
        bookmark.putObject("metadata").put("resourceVersion", Long.toString(revision));
        return bookmark;
    }

    private void sendExpired() throws IOException {
        String message = tooOld(cursor, log.droppedRevision());
        line("ERROR", Json.bytes(ApiErrors.expired(message).status().toJson()));
        flush();
    }

    public static String tooOld(long revision, long oldest) {
        return "too old resource version: " + revision + " (" + oldest + ")";
    }

    private void line(String type, byte[] object) throws IOException {
        String start = "{\"type\":\"" + type + "\",\"object\":";
        writingSinceNanos = System.nanoTime();
        try {
            output.write(start.getBytes(StandardCharsets.US_ASCII));
            output.write(object);
            output.write(END_OF_LINE);
        } finally {
            writingSinceNanos = 0;
        }
    }

    private void flush() throws IOException {
        writingSinceNanos = System.nanoTime();
        try {
            output.flush();
        } finally {
            writingSinceNanos = 0;
        }
    }
}
