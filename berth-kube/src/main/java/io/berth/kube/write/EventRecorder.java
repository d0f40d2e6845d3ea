package io.berth.kube.write;

import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.WriteGate;
import io.berth.kube.connection.ConfigException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends events to the API server, in the background and as well as it can.
///
/// [#record] puts the event into a buffer of 1,000 and returns; what does not fit is dropped and
/// counted. A virtual thread takes events from the buffer, recognises repetitions and starts a
/// write for each that is news, at most 32 at a time; while all of them wait for the server, the
/// buffer fills. Writes that get no answer are tried again, refused ones are not (P-165).
///
/// Events about pods are of the API group events.k8s.io. Where the server does not have it, they
/// are written in the old form, as those about other objects always are (P-157). They are written
/// while this process may write at all, and dropped after that.
///
/// Thread-safe.
public final class EventRecorder implements Recorder, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);
    private static final int BUFFER = 1000;
    private static final int WRITERS = 32;
    private static final Duration LOOK_AROUND = Duration.ofMillis(200);
    private static final Duration DISCOVERY_LIMIT = Duration.ofSeconds(5);
    private static final String DROPPED =
            "Unable to record event: too many queued events, dropped event";
    private static final String GROUP = "/apis/events.k8s.io/v1";

    /// How writes are repeated.
    ///
    /// @param lastWrites how long [#close] waits for those under way
    public record Retry(int tries, Duration pause, Duration lastWrites) {
        public static final Retry DEFAULT =
                new Retry(12, Duration.ofSeconds(10), Duration.ofSeconds(1));
    }

    /// Something that happened.
    private sealed interface Entry {
        record AboutPod(Event event, @Nullable Pod related, Instant time) implements Entry {}

        record Legacy(LegacyEvent event, Instant time) implements Entry {}
    }

    private final ApiClient client;
    private final WriteGate gate;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Retry retry;
    private final BlockingQueue<Entry> buffer = new ArrayBlockingQueue<>(BUFFER);
    private final Semaphore writers = new Semaphore(WRITERS);
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final EventSeries series;
    private final LegacyCorrelator legacy = new LegacyCorrelator();
    private final Thread thread;

    /// Whether the server has the group; null until it has said so. Touched by [#thread] only.
    private @Nullable Boolean hasGroup;

    private volatile boolean closing;
    private volatile boolean closed;

    /// @param host the name of this machine, for `reportingInstance`
    /// @param gate what events about pods have to pass
    public EventRecorder(ApiClient client, String host, WriteGate gate) {
        this(
                client,
                host,
                gate,
                InstantSource.system(),
                RandomGenerator.getDefault(),
                Retry.DEFAULT);
    }

    public EventRecorder(
            ApiClient client,
            String host,
            WriteGate gate,
            InstantSource clock,
            RandomGenerator random,
            Retry retry) {
        this.client = client;
        this.gate = gate;
        this.clock = clock;
        this.random = random;
        this.retry = retry;
        this.series = new EventSeries(host);
        this.thread = Thread.ofVirtual().name("events").start(this::run);
    }

    @Override
    public void record(Event event, @Nullable Pod related) {
        if (!offer(new Entry.AboutPod(event, related, clock.instant()))) {
            log.atDebug()
                    .addKeyValue("pod", event.about().key())
                    .addKeyValue("reason", event.reason())
                    .log(DROPPED);
        }
    }

    /// Records something about an object that is no pod.
    public void record(LegacyEvent event) {
        if (!offer(new Entry.Legacy(event, clock.instant()))) {
            log.atError()
                    .addKeyValue("object", event.about().name())
                    .addKeyValue("reason", event.reason())
                    .log(DROPPED);
        }
    }

    private boolean offer(Entry entry) {
        if (closing || !buffer.offer(entry)) {
            dropped.incrementAndGet();
            return false;
        }
        return true;
    }

    /// Events that found no room.
    public long droppedCount() {
        return dropped.get();
    }

    /// Events and repetitions that the server has accepted.
    public long writtenCount() {
        return written.get();
    }

    /// Events that the server refused or that could not be sent.
    public long failedCount() {
        return failed.get();
    }

    private void run() {
        try {
            while (!closing || !buffer.isEmpty()) {
                var entry =
                        buffer.poll(closing ? 0 : LOOK_AROUND.toMillis(), TimeUnit.MILLISECONDS);
                if (entry != null) {
                    start(write(entry), gateFor(entry));
                }
                for (var write : series.due(clock.instant())) {
                    start(write, gate);
                }
            }
        } catch (InterruptedException stop) {
            // Closing; whatever is left is lost.
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable EventWrite write(Entry entry) {
        return switch (entry) {
            case Entry.AboutPod(var event, var related, var time) ->
                    hasGroup()
                            ? series.add(event, related, time)
                            : legacy.add(LegacyEvent.of(event), time);
            case Entry.Legacy(var event, var time) -> legacy.add(event, time);
        };
    }

    /// A server that does not answer is asked again; its answer is final.
    private boolean hasGroup() {
        if (hasGroup == null) {
            try {
                client.send(ApiRequest.get(GROUP).within(DISCOVERY_LIMIT));
                hasGroup = true;
            } catch (ApiException failure) {
                if (failure.failure() == ApiException.Failure.ANSWERED) {
                    hasGroup = false;
                    log.atInfo()
                            .addKeyValue("err", failure.getMessage())
                            .log("No events.k8s.io/v1 on the server, sending events of core/v1");
                }
            } catch (ConfigException unusable) {
                // Told when the event cannot be written.
            }
        }
        return hasGroup == null || hasGroup;
    }

    /// What is no pod is told of whoever leads: the election itself.
    private WriteGate gateFor(Entry entry) {
        return switch (entry) {
            case Entry.AboutPod _ -> gate;
            case Entry.Legacy _ -> WriteGate.OPEN;
        };
    }

    private void start(@Nullable EventWrite write, WriteGate mayPass) throws InterruptedException {
        if (write == null) {
            return;
        }
        writers.acquire();
        Thread.ofVirtual()
                .name("event-write")
                .start(() -> {
                    try {
                        (send(write, mayPass) ? written : failed).incrementAndGet();
                    } finally {
                        writers.release();
                    }
                });
    }

    private boolean send(EventWrite write, WriteGate mayPass) {
        for (int attempt = 1; !closed; attempt++) {
            if (mayPass.writeNanos() <= 0) {
                log.atDebug().addKeyValue("event", write.name()).log(WriteGate.CLOSED);
                return false;
            }
            String problem;
            try {
                attempt(write);
                return true;
            } catch (ApiException failure) {
                if (failure.failure() == ApiException.Failure.ANSWERED) {
                    return refused(write, failure);
                }
                problem = failure.getMessage();
            } catch (ConfigException unusable) {
                problem = unusable.getMessage();
            }
            boolean last = attempt >= retry.tries;
            log.atWarn()
                    .addKeyValue("event", write.name())
                    .addKeyValue("err", problem)
                    .log(
                            last
                                    ? "Unable to write event (retry limit exceeded!)"
                                    : "Unable to write event (may retry after sleeping)");
            if (last || !sleep()) {
                return false;
            }
        }
        return false;
    }

    /// A repetition is a patch; where its event has expired meanwhile, it is created anew. Where it
    /// was merely not there yet, since its creation is under way beside us, it is there now.
    private void attempt(EventWrite write) {
        byte[] patch = write.patch();
        if (patch == null) {
            client.carryOut(ApiRequest.create(write.collection(), write.create()));
        } else if (!patched(write, patch)) {
            try {
                client.carryOut(ApiRequest.create(write.collection(), write.create()));
            } catch (ApiException failure) {
                if (!failure.reason().equals("AlreadyExists") || !patched(write, patch)) {
                    throw failure;
                }
            }
        }
    }

    /// False where there is no such event.
    private boolean patched(EventWrite write, byte[] patch) {
        try {
            client.carryOut(
                    ApiRequest.patch(
                            write.collection() + "/" + write.name(),
                            ApiRequest.STRATEGIC_MERGE_PATCH,
                            patch));
            return true;
        } catch (ApiException failure) {
            if (failure.code() == 404) {
                return false;
            }
            throw failure;
        }
    }

    private static boolean refused(EventWrite write, ApiException failure) {
        boolean exists = failure.reason().equals("AlreadyExists");
        (exists ? log.atDebug() : log.atError())
                .addKeyValue("event", write.name())
                .addKeyValue("err", failure.getMessage())
                .log("Server rejected event (will not retry!)");
        return exists;
    }

    private boolean sleep() {
        double jitter = 1 + 0.25 * random.nextDouble();
        try {
            TimeUnit.NANOSECONDS.sleep((long) (retry.pause.toNanos() * jitter));
            return true;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Takes no more events and gives those at hand a moment to be written (P-259).
    @Override
    public void close() {
        closing = true;
        try {
            long until = System.nanoTime() + retry.lastWrites.toNanos();
            thread.join(retry.lastWrites);
            if (writers.tryAcquire(
                    WRITERS, Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                writers.release(WRITERS);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            closed = true;
            thread.interrupt();
        }
    }
}
