package io.berth.controllers.informer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.KubeClient;
import io.berth.controllers.client.Resource;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.Owner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The objects of a kind, kept up to date by a thread of its own: list, watch, list again where the
/// watch has lost its place.
public final class Informer<T extends Held> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);
    private static final int PAGE = 1000;
    private static final Duration WATCH = Duration.ofMinutes(5);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final KubeClient client;
    private final Resource resource;
    private final Function<ObjectNode, T> decoder;
    private final Cache<T> cache;
    private final List<Listener<T>> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch synced = new CountDownLatch(1);
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    /// Told of every change, by the thread that saw it: it must be quick.
    public interface Listener<T> {
        /// @param before null for a new object
        /// @param after null for one that is gone
        void changed(@Nullable T before, @Nullable T after);
    }

    /// @param indexer by which more words objects can be found, see [#indexed]
    Informer(
            KubeClient client,
            Resource resource,
            Function<ObjectNode, T> decoder,
            Function<T, Collection<String>> indexer) {
        this.client = client;
        this.resource = resource;
        this.decoder = decoder;
        this.cache = new Cache<>(object -> words(object, indexer));
    }

    /// By owner, and those that nobody manages by namespace.
    private static <T extends Held> Collection<String> words(
            T object, Function<T, Collection<String>> indexer) {
        Meta meta = object.meta();
        var words = new ArrayList<>(indexer.apply(object));
        for (Owner owner : meta.owners()) {
            words.add("owner:" + owner.uid());
        }
        if (meta.controller().isEmpty()) {
            words.add("free:" + meta.namespace());
        }
        words.add("namespace:" + meta.namespace());
        return words;
    }

    public Resource resource() {
        return resource;
    }

    public void listen(Listener<T> listener) {
        listeners.add(listener);
    }

    void start() {
        thread = Thread.ofVirtual().name("informer-" + resource.plural()).start(this::follow);
    }

    /// Waits until everything was seen once.
    ///
    /// @return false if that took longer than the limit
    public boolean awaitSync(Duration limit) throws InterruptedException {
        return synced.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    public Optional<T> find(String key) {
        return cache.find(key);
    }

    public Optional<T> find(String namespace, String name) {
        return cache.find(Meta.key(namespace, name));
    }

    public List<T> all() {
        return cache.all();
    }

    public List<T> inNamespace(String namespace) {
        return cache.indexed("namespace:" + namespace);
    }

    public List<T> ownedBy(String uid) {
        return cache.indexed("owner:" + uid);
    }

    /// Those of a namespace that nobody manages.
    public List<T> unmanaged(String namespace) {
        return cache.indexed("free:" + namespace);
    }

    public List<T> indexed(String word) {
        return cache.indexed(word);
    }

    /// Puts in what the server answered to a write, so that the next look finds it.
    public T written(ObjectNode answer) {
        T object = decoder.apply(answer);
        cache.written(object).ifPresent(this::tell);
        return object;
    }

    /// Takes in what the server answered to a deletion: the object on its way out, or a word.
    public void deleted(Meta meta, Optional<ObjectNode> answer) {
        boolean left =
                answer.filter(each -> each.path("metadata").has("deletionTimestamp"))
                        .filter(each -> !isLast(each))
                        .isPresent();
        if (left) {
            written(answer.orElseThrow());
        } else {
            cache.deleted(meta).ifPresent(this::tell);
        }
    }

    private static boolean isLast(ObjectNode answer) {
        JsonNode metadata = answer.path("metadata");
        return metadata.path("finalizers").isEmpty()
                && metadata.path("deletionGracePeriodSeconds").asLong(0) == 0;
    }

    private void follow() {
        Duration pause = SHORTEST_PAUSE;
        while (!closed) {
            try {
                list();
                synced.countDown();
                pause = SHORTEST_PAUSE;
                watchUntilLost();
            } catch (ApiFailure failure) {
                if (closed) {
                    return;
                }
                if (failure.isNotFound()) {
                    // A server that does not know the kind has none of them.
                    synced.countDown();
                }
                LOG.debug("{} are listed again: {}", resource.plural(), failure.getMessage());
                sleep(pause);
                pause = pause.multipliedBy(2);
                pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
            }
        }
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause.plusMillis(ThreadLocalRandom.current().nextLong(100)));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void list() {
        var all = new ArrayList<T>();
        String more = "";
        long version = 0;
        do {
            ObjectNode page = client.list(resource, PAGE, more);
            for (JsonNode item : page.path("items")) {
                if (item instanceof ObjectNode object) {
                    all.add(decoder.apply(object));
                }
            }
            version = Long.parseLong(page.path("metadata").path("resourceVersion").asText("0"));
            more = page.path("metadata").path("continue").asText("");
        } while (!more.isEmpty());
        cache.replace(all, version).forEach(this::tell);
    }

    /// Watches on and on; comes back when the place in history is lost.
    private void watchUntilLost() {
        while (!closed) {
            try (InputStream stream = client.watch(resource, cache.position(), WATCH)) {
                endInTime(stream);
                if (!read(stream)) {
                    return;
                }
            } catch (ApiFailure failure) {
                if (failure.isExpired()) {
                    return;
                }
                throw failure;
            } catch (IOException cutOff) {
                if (!closed) {
                    sleep(SHORTEST_PAUSE);
                }
            }
        }
    }

    /// A stream that outlives its time is one whose server has gone without a word.
    private static void endInTime(InputStream stream) {
        long seconds = WATCH.toSeconds() + 30;
        CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS)
                .execute(() -> {
                    try {
                        stream.close();
                    } catch (IOException over) {
                        LOG.debug("A watch ended", over);
                    }
                });
    }

    /// @return false if history is lost
    private boolean read(InputStream stream) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
            JsonNode event = KubeClient.parse(line);
            if (!(event.path("object") instanceof ObjectNode object)) {
                continue;
            }
            switch (event.path("type").asText()) {
                case "ADDED", "MODIFIED" -> cache.seen(decoder.apply(object)).ifPresent(this::tell);
                case "DELETED" -> cache.gone(Meta.of(object)).ifPresent(this::tell);
                case "BOOKMARK" -> cache.reached(Meta.of(object).version());
                default -> {
                    return false;
                }
            }
        }
        return true;
    }

    private void tell(Cache.Change<T> change) {
        for (Listener<T> listener : listeners) {
            listener.changed(change.before(), change.after());
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
