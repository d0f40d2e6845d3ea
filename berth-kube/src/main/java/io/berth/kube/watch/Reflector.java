package io.berth.kube.watch;

import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterFeed;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ApiStream;
import io.berth.kube.codec.Decoded;
import io.berth.kube.codec.ListReader;
import io.berth.kube.codec.WatchEvent;
import io.berth.kube.codec.WatchReader;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.connection.ConfigException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows all objects of one kind and reports them to the feed, whatever happens on the way.
///
/// ```
///            ┌────────────────────────────── version expired, or an unclear failure ─────────┐
///            ▼                                                                               │
///   ┌─► INITIAL STREAM ──── end-of-initial-events bookmark ────┐                             │
///   │   (sendInitialEvents)                                    ▼                             │
///   │        │ server does not support it                    WATCH ──── ends, breaks ────────┤
///   │        └──────────► LIST, page by page ─── complete ──►  ▲                             │
///   │                        │                                 └─ from the last version ─────┘
///   └────── back off ◄───────┘ failure
/// ```
///
/// What the feed hears is always the difference to what it heard before: after a gap unchanged
/// objects are not repeated, and those that vanished are reported gone ([Known]).
///
/// Runs on a virtual thread named after the kind. [#state] and [#close] may be called by any
/// thread.
public final class Reflector implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Reflector.class);
    private static final int PAGE_SIZE = 500;
    private static final Duration SHORT_WATCH = Duration.ofSeconds(1);
    private static final Duration LIST_SILENCE = Duration.ofSeconds(60);
    private static final String ENDED = "the watch has ended, restart the process";

    /// The verbosity that shows beginnings; other details need one more.
    private static final int START_LEVEL = 3;

    private final ApiClient client;
    private final Resource resource;
    private final ClusterFeed feed;
    private final Shared shared;
    private final WatchTimes times;
    private final RandomGenerator random;
    private final Backoff backoff;
    private final Known known;
    private final boolean keepsRaw;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable Thread thread;

    /// The last version that we have seen everything up to; empty before the first list.
    private volatile String version = "";

    private volatile boolean synced;
    private volatile @Nullable String lastError;
    private volatile @Nullable Instant lastContact;
    private final AtomicLong lists = new AtomicLong();
    private final AtomicLong watches = new AtomicLong();
    private volatile @Nullable ApiStream stream;

    // Touched by the reflector's own thread only.
    private boolean streamsInitialEvents = true;
    private boolean mustList = true;
    private boolean fromNewest;
    private boolean mayListAtOnce;
    private boolean listsInPages;

    public Reflector(
            ApiClient client,
            Resource resource,
            ClusterFeed feed,
            Shared shared,
            WatchTimes times,
            RandomGenerator random) {
        this(client, resource, feed, RawKeeper.NONE, shared, times, random);
    }

    public Reflector(
            ApiClient client,
            Resource resource,
            ClusterFeed feed,
            RawKeeper raw,
            Shared shared,
            WatchTimes times,
            RandomGenerator random) {
        this.client = client;
        this.resource = resource;
        this.feed = feed;
        this.shared = shared;
        this.times = times;
        this.random = random;
        this.backoff = new Backoff(times, random);
        this.known = new Known(resource.kind(), feed, raw);
        this.keepsRaw = raw.wants(resource.kind());
    }

    /// Has it list the objects, page by page, rather than ask for them as a stream. Before the
    /// start only.
    public Reflector listing() {
        streamsInitialEvents = false;
        return this;
    }

    public synchronized void start() {
        if (thread != null || closed.get()) {
            throw new IllegalStateException("a reflector starts once");
        }
        thread = Thread.ofVirtual().name("watch-" + resource.plural()).start(this::follow);
    }

    /// Nothing may end the watch before [#close]. What does all the same is told, here and by
    /// [#state].
    private void follow() {
        try {
            run();
        } finally {
            if (!closed.get()) {
                lastError = ENDED;
                log.atError().addKeyValue("type", resource.plural()).log("Watch ended for good");
            }
        }
    }

    public Kind kind() {
        return resource.kind();
    }

    public WatchState state() {
        return new WatchState(
                kind(),
                synced,
                known.size(),
                version,
                lastError,
                lastContact,
                lists.get(),
                watches.get());
    }

    /// Whether its thread is gone.
    synchronized boolean hasEnded() {
        return thread != null && !thread.isAlive();
    }

    private void run() {
        log.atDebug()
                .addKeyValue("v", START_LEVEL)
                .addKeyValue("type", resource.plural())
                .log("Starting reflector");
        while (!closed.get()) {
            try {
                step();
            } catch (ApiException failure) {
                failed(failure);
            } catch (IOException broken) {
                // The stream ended in the middle of an event, or was cut. What was read counts;
                // what makes no sense might come again from the same version, so all is read anew.
                mustList |= WatchReader.isMalformed(broken);
                trouble(broken.getMessage());
            } catch (ConfigException unusable) {
                // Credentials or certificates cannot be read now; they may be later.
                trouble(unusable.getMessage());
            } catch (Throwable unexpected) {
                // A watch that ended here would leave an old picture in use, unnoticed.
                survive(unexpected);
            }
        }
    }

    private void survive(Throwable unexpected) {
        if (closed.get()) {
            return;
        }
        mustList = true;
        try {
            log.atError()
                    .addKeyValue("type", resource.plural())
                    .setCause(unexpected)
                    .log("Failed to watch");
        } finally {
            trouble(unexpected.toString());
        }
    }

    private void step() throws IOException {
        if (!mustList) {
            watch();
            return;
        }
        log.atDebug()
                .addKeyValue("v", START_LEVEL)
                .addKeyValue("type", resource.plural())
                .log("Listing and watching");
        if (streamsInitialEvents) {
            streamAll();
        } else {
            listAll();
        }
    }

    /// Asks for all objects and their changes in one stream. Where the server does not do that,
    /// lists them.
    private void streamAll() throws IOException {
        var request =
                watchRequest(fromNewest ? "" : version)
                        .with("sendInitialEvents", "true")
                        .with("resourceVersionMatch", "NotOlderThan");
        String problem;
        try (var body = open(request)) {
            body.limitSilence(times.initialSilence());
            known.beginList();
            try (var reader = reader(body)) {
                if (readInitial(reader)) {
                    follow(reader, body, request);
                    return;
                }
            }
            problem = "the stream ended before the initial events were complete";
            streamsInitialEvents = false;
        } catch (ApiException refused) {
            fromNewest |= isOutOfReach(refused);
            int code = refused.code();
            if (code != 400 && code != 415 && code != 422) {
                throw refused;
            }
            problem = refused.getMessage();
            streamsInitialEvents = false;
        } catch (IOException broken) {
            if (!mustList || closed.get()) {
                throw broken;
            }
            problem = broken.getMessage();
            var body = stream;
            streamsInitialEvents = body == null || !body.wasCut();
        } finally {
            stream = null;
        }
        log.atDebug()
                .addKeyValue("type", resource.plural())
                .addKeyValue("err", problem)
                .log("Data couldn't be fetched in watchlist mode. Falling back to regular list.");
        listAll();
    }

    /// Reads up to the bookmark that ends the initial events; false where it did not come.
    private boolean readInitial(WatchReader reader) throws IOException {
        for (var event = reader.next(); event != null; event = reader.next()) {
            touched();
            switch (event) {
                case WatchEvent.Seen(var object) -> known.listed(object);
                case WatchEvent.Gone(var object) -> known.unlisted(object);
                case WatchEvent.Bookmark(var upTo, var end) -> {
                    if (end) {
                        known.endList();
                        listComplete(upTo);
                        return true;
                    }
                }
                case WatchEvent.Failed(var status) -> throw new ApiException(status);
                case WatchEvent.Unknown(var type) -> unknown(type);
            }
        }
        return false;
    }

    private void listAll() throws IOException {
        String from = fromNewest ? "" : version.isEmpty() ? "0" : version;
        known.beginList();
        String next = "";
        String listVersion = "";
        do {
            var request = resource.request();
            // Other versions than "any" and "newest" are answered from a cache that has no pages,
            // where there is one: a first list in pages shows that there is none.
            if (from.isEmpty() || from.equals("0") || listsInPages) {
                request = request.with("limit", Integer.toString(PAGE_SIZE));
            }
            request =
                    next.isEmpty()
                            ? from.isEmpty() ? request : request.with("resourceVersion", from)
                            : request.with("continue", next);
            var page = readPage(request);
            listVersion = page.resourceVersion();
            next = page.next();
            listsInPages |= from.equals("0") && !next.isEmpty();
        } while (!next.isEmpty() && !closed.get());
        if (!closed.get()) {
            known.endList();
            listComplete(listVersion);
        }
    }

    private ListReader.Page readPage(ApiRequest request) throws IOException {
        try (var body = open(request)) {
            body.limitSilence(LIST_SILENCE);
            return ListReader.read(
                    body, Encoding.of(body.contentType()), kind(), shared, keepsRaw, this::listed);
        } catch (ApiException refused) {
            // The pages' version is gone, or ours is not there yet: all again, newest.
            fromNewest |= isOutOfReach(refused);
            throw refused;
        } finally {
            stream = null;
        }
    }

    private static boolean isOutOfReach(ApiException refused) {
        return refused.status().isExpired() || refused.status().isTooLargeResourceVersion();
    }

    private void listed(Decoded object) {
        touched();
        known.listed(object);
    }

    private void listComplete(String listVersion) {
        version = listVersion;
        mustList = false;
        fromNewest = false;
        mayListAtOnce = true;
        lists.incrementAndGet();
        works();
        if (!synced) {
            feed.synced(kind());
            synced = true;
            log.atInfo()
                    .addKeyValue("type", resource.plural())
                    .addKeyValue("objects", known.size())
                    .log("Caches populated");
        }
    }

    /// Goes on from the last version.
    private void watch() throws IOException {
        var request = watchRequest(version);
        try (var body = open(request)) {
            works();
            try (var reader = reader(body)) {
                follow(reader, body, request);
            }
        } finally {
            stream = null;
        }
    }

    /// Reports changes until the stream ends. An end, even a broken one, is nothing special where
    /// the stream worked for a while.
    private void follow(WatchReader reader, ApiStream body, ApiRequest request) throws IOException {
        watches.incrementAndGet();
        body.limitSilence(limitOf(request));
        body.probeWhenSilent(this::findsNews);
        long begin = System.nanoTime();
        boolean any = false;
        try {
            for (var event = reader.next(); event != null; event = reader.next()) {
                any = true;
                apply(event);
            }
        } catch (IOException broken) {
            if (WatchReader.isMalformed(broken)) {
                throw broken;
            }
            if (System.nanoTime() - begin < SHORT_WATCH.toNanos()) {
                throw broken;
            }
            log.atDebug()
                    .addKeyValue("type", resource.plural())
                    .addKeyValue("err", broken.getMessage())
                    .log("Watch connection lost");
        }
        if (!any && System.nanoTime() - begin < SHORT_WATCH.toNanos()) {
            throw new IOException(
                    "very short watch: "
                            + resource.plural()
                            + ": Unexpected watch close - watch lasted less than a second and no"
                            + " items received");
        }
        log.atDebug().addKeyValue("type", resource.plural()).log("Watch close");
    }

    /// Looks whether anything happened since the version that we have seen everything up to, with a
    /// short watch beside a silent one. What it tells is left to the other, or to its successor.
    private boolean findsNews() {
        var request =
                resource.request()
                        .with("watch", "true")
                        .with("resourceVersion", version)
                        .with("timeoutSeconds", "1");
        try (var body = client.open(request);
                var reader =
                        WatchReader.of(
                                body, Encoding.of(body.contentType()), kind(), shared, false)) {
            body.limitSilence(times.slack());
            return reader.next() != null;
        } catch (ApiException refused) {
            // Only who answers knows; a version that is gone has to be left behind anyway.
            return refused.failure() == ApiException.Failure.ANSWERED;
        } catch (IOException | RuntimeException unclear) {
            return false;
        }
    }

    private void apply(WatchEvent event) {
        touched();
        switch (event) {
            case WatchEvent.Seen(var object) -> {
                known.seen(object);
                advance(object.resourceVersion());
            }
            case WatchEvent.Gone(var object) -> {
                known.gone(object);
                advance(object.resourceVersion());
            }
            case WatchEvent.Bookmark(var upTo, var end) -> advance(upTo);
            case WatchEvent.Failed(var status) -> throw new ApiException(status);
            case WatchEvent.Unknown(var type) -> unknown(type);
        }
    }

    private void advance(String upTo) {
        if (!upTo.isEmpty()) {
            version = upTo;
        }
    }

    private void unknown(String type) {
        log.atWarn()
                .addKeyValue("type", resource.plural())
                .addKeyValue("event", type)
                .log("Passing over a watch event that cannot be understood");
    }

    private ApiRequest watchRequest(String from) {
        long seconds = Math.max(1, times.minWatch().toSeconds());
        long timeout = seconds + random.nextLong(seconds + 1);
        return resource.request()
                .with("watch", "true")
                .with("allowWatchBookmarks", "true")
                .with("resourceVersion", from)
                .with("timeoutSeconds", Long.toString(timeout));
    }

    /// A watch that outlives even the longest time we ask for is on a dead connection.
    private Duration limitOf(ApiRequest request) {
        int at = request.path().indexOf("timeoutSeconds=") + "timeoutSeconds=".length();
        int end = request.path().indexOf('&', at);
        String seconds = request.path().substring(at, end < 0 ? request.path().length() : end);
        return Duration.ofSeconds(Long.parseLong(seconds)).plus(times.slack());
    }

    private ApiStream open(ApiRequest request) {
        // Those who pass objects on want their JSON, and what has no schema is read from nothing
        // else.
        boolean mustBeJson = keepsRaw || !KindTable.has(kind());
        var body = client.open(mustBeJson ? request : request.inAnyEncoding());
        stream = body;
        if (closed.get()) {
            body.close();
        }
        touched();
        return body;
    }

    private WatchReader reader(ApiStream body) throws IOException {
        return WatchReader.of(body, Encoding.of(body.contentType()), kind(), shared, keepsRaw);
    }

    private void touched() {
        lastContact = Instant.now();
    }

    private void works() {
        lastError = null;
    }

    /// What to do about an error of the server or the network (P-143).
    private void failed(ApiException failure) {
        if (failure.failure() == ApiException.Failure.INTERRUPTED && closed.get()) {
            return;
        }
        var status = failure.status();
        if (status.isExpired()) {
            mustList = true;
            log.atDebug()
                    .addKeyValue("type", resource.plural())
                    .addKeyValue("err", failure.getMessage())
                    .log("Watch closed, its version is gone");
            if (mayListAtOnce) {
                // The server is well and says what to do; pauses are for servers that are not.
                mayListAtOnce = false;
                return;
            }
        } else if (failure.failure() == ApiException.Failure.ANSWERED && failure.code() != 429) {
            mustList = true;
        }
        trouble(failure.getMessage());
    }

    private void trouble(@Nullable String message) {
        if (closed.get()) {
            return;
        }
        String text = message == null || message.isEmpty() ? "connection lost" : message;
        lastError = text;
        var pause = backoff.next(System.nanoTime());
        log.atError()
                .addKeyValue("type", resource.plural())
                .addKeyValue("err", text)
                .addKeyValue("retryIn", pause)
                .log("Failed to watch");
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException stop) {
            if (!closed.get()) {
                log.atWarn().addKeyValue("type", resource.plural()).log("Interrupted");
            }
        }
    }

    /// Ends the watch and waits a moment for its thread.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        var open = stream;
        if (open != null) {
            open.close();
        }
        Thread running;
        synchronized (this) {
            running = thread;
        }
        if (running == null || running.equals(Thread.currentThread())) {
            return;
        }
        running.interrupt();
        try {
            running.join(Duration.ofSeconds(5));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
