package io.berth.lab.shadow;

import io.berth.api.explain.Standing;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.EngineSettings;
import io.berth.engine.SystemTime;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.query.EngineQueries;
import io.berth.lab.Twin;
import io.berth.lab.shadow.Thought.Move;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Follows a cluster and judges each pod at the moment that it gets a node, on the state just
/// before: could the node take it, and was no other better?
///
/// ```
///  watches ──► line (bounded, they wait) ──► held back for a moment ──► judged, then told to the twin
///                                                  │
///                                                  └─ what comes next: bindings that were under way
/// ```
///
/// News are held back for a moment, so that a decision that seems odd can be looked at in the
/// states that its scheduler may have seen: it places pods one by one, but their bindings arrive in
/// another order, and it counts each pod from its decision on. What is kept is bounded by the size
/// of the cluster, the line and the moment.
///
/// Fed by the threads of the watches; all else happens on a thread of its own.
public final class Shadow implements ClusterFeed, AutoCloseable {
    private static final int LINE = 20_000;
    private static final int MOST_MOVES = 256;
    private static final int TELL_AT_ONCE = 1_000;
    private static final Duration ANSWER_LIMIT = Duration.ofMinutes(1);
    private static final Duration END_LIMIT = Duration.ofSeconds(30);
    private static final Duration IDLE = Duration.ofMillis(50);
    private static final Duration PUBLISH = Duration.ofMillis(200);

    /// How a shadow works.
    ///
    /// @param kinds those that will be fed; judging begins when all have been listed
    /// @param hold for how long news are held back
    /// @param patience how far judging may be behind before pods are passed over
    public record Settings(
            EngineSettings engine,
            Registry registry,
            Set<Kind> kinds,
            Duration hold,
            Duration patience) {
        public static final Duration USUAL_HOLD = Duration.ofSeconds(1);
        public static final Duration USUAL_PATIENCE = Duration.ofSeconds(5);

        public Settings {
            kinds = Set.copyOf(kinds);
        }
    }

    /// What comes in: an object, one that is gone, or that all of a kind are there.
    private record News(
            @Nullable ClusterObject object,
            Kind kind,
            String namespace,
            String name,
            long atNanos) {
        boolean isSync() {
            return object == null && name.isEmpty();
        }
    }

    private record Known(Pod pod, long order) {}

    private final Settings settings;
    private final ShadowObserver observer;
    private final Twin twin;
    private final ClusterFeed told;
    private final BlockingQueue<News> line = new ArrayBlockingQueue<>(LINE);
    private final Thread thread;
    private volatile boolean isClosed;
    private volatile boolean isFollowing;
    private volatile ShadowReport latest;

    // Of the shadow's thread alone.
    private final Deque<News> held = new ArrayDeque<>();
    private final Map<String, Known> pods = new HashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private final Deque<Move> moves = new ArrayDeque<>();
    private final Deque<Move> leavings = new ArrayDeque<>();
    private final Set<Kind> awaited;
    private final Tally tally = new Tally();
    private long nextOrder;
    private int toldSince;
    private long publishedNanos;

    /// @throws io.berth.engine.framework.SettingsException where the profiles cannot work
    public Shadow(Settings settings, ShadowObserver observer) {
        this.settings = settings;
        this.observer = observer;
        this.awaited = new HashSet<>(settings.kinds());
        this.twin =
                Twin.of(
                        settings.engine().awaiting(Set.of(Kind.POD, Kind.NODE)),
                        settings.registry(),
                        new SystemTime(),
                        ClusterImage.of(List.of()));
        this.told = twin.feed();
        this.latest = tally.report(0, 0);
        this.thread = Thread.ofPlatform().name("shadow").daemon(true).start(this::work);
    }

    /// Whether everything that was there at the beginning has been seen, and pods are judged.
    public boolean isFollowing() {
        return isFollowing;
    }

    /// What has been found up to a moment ago; after [#close], everything.
    public ShadowReport report() {
        return latest;
    }

    @Override
    public void seen(ClusterObject object) {
        put(new News(object, object.kind(), "", "", System.nanoTime()));
    }

    @Override
    public void gone(Kind kind, String namespace, String name) {
        put(new News(null, kind, namespace, name, System.nanoTime()));
    }

    @Override
    public void synced(Kind kind) {
        put(new News(null, kind, "", "", System.nanoTime()));
    }

    private void put(News news) {
        try {
            while (!isClosed && !line.offer(news, IDLE.toMillis(), TimeUnit.MILLISECONDS)) {
                // The watch waits, and with it the API server's end of it.
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /// Judges what has been seen and ends.
    @Override
    public void close() {
        isClosed = true;
        try {
            if (!thread.join(END_LIMIT)) {
                thread.interrupt();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        twin.close();
    }

    private void work() {
        try {
            while (!isClosed || !held.isEmpty() || !line.isEmpty()) {
                turn();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        latest = tally.report(nodes.size(), pods.size());
    }

    /// Takes what has come, and handles the oldest once it has been held back for long enough.
    private void turn() throws InterruptedException {
        line.drainTo(held, LINE - held.size());
        publish();
        var oldest = held.peek();
        long wait = oldest == null ? IDLE.toNanos() : wait(oldest);
        if (wait <= 0) {
            handle(held.remove());
            return;
        }
        var next = line.poll(Math.min(wait, IDLE.toNanos()), TimeUnit.NANOSECONDS);
        if (next != null) {
            held.add(next);
        }
    }

    private long wait(News oldest) {
        boolean isHeld = isFollowing && !isClosed && held.size() < LINE;
        return isHeld ? settings.hold().toNanos() - age(oldest) : 0;
    }

    private static long age(News news) {
        return System.nanoTime() - news.atNanos;
    }

    private void publish() {
        long now = System.nanoTime();
        if (now - publishedNanos >= PUBLISH.toNanos()) {
            publishedNanos = now;
            latest = tally.report(nodes.size(), pods.size());
        }
    }

    private void handle(News news) throws InterruptedException {
        var object = news.object;
        if (news.isSync()) {
            awaited.remove(news.kind);
            isFollowing = awaited.isEmpty();
        } else if (object instanceof Pod pod) {
            seen(pod, news);
        } else if (object != null) {
            if (object.kind() == Kind.NODE) {
                nodes.add(object.name());
            }
            told.seen(object);
        } else {
            forget(news);
            told.gone(news.kind, news.namespace, news.name);
        }
        toldSince++;
        if (toldSince >= TELL_AT_ONCE) {
            toldSince = 0;
            ask(EngineQueries::isReady);
        }
    }

    private void forget(News news) {
        if (news.kind == Kind.NODE) {
            nodes.remove(news.name);
        }
        if (news.kind == Kind.POD) {
            var known = pods.remove(news.namespace + "/" + news.name);
            if (known != null && known.pod.isAssigned()) {
                note(leavings, new Move(known.pod, known.pod, known.order, news.atNanos));
            }
        }
    }

    private void seen(Pod pod, News news) throws InterruptedException {
        var last = pods.get(pod.key());
        var known = last == null || !last.pod.uid().equals(pod.uid()) ? null : last;
        long order = known == null ? nextOrder++ : known.order;
        if (isFollowing && pod.isAssigned()) {
            if (known == null) {
                leaveOut(Omission.UNSEEN);
            } else if (!known.pod.isAssigned()) {
                var move = new Move(known.pod, pod, order, news.atNanos);
                judge(move, age(news) - settings.hold().toNanos());
                note(moves, move);
            }
        }
        pods.put(pod.key(), new Known(pod, order));
        told.seen(pod);
    }

    private void note(Deque<Move> recent, Move move) {
        recent.addLast(move);
        while (recent.size() > MOST_MOVES
                || move.atNanos() - recent.getFirst().atNanos() > settings.hold().toNanos()) {
            recent.removeFirst();
        }
    }

    private void leaveOut(Omission reason) {
        tally.leftOut(reason);
        observer.leftOut(reason);
    }

    private void judge(Move move, long behindNanos) throws InterruptedException {
        long behind = Math.max(0, behindNanos);
        tally.behind(behind);
        observer.lag(behind);
        if (behind > settings.patience().toNanos()) {
            leaveOut(Omission.BEHIND);
            return;
        }
        long begin = System.nanoTime();
        try {
            var standing = standing(move);
            if (standing.isEmpty()) {
                leaveOut(Omission.FOREIGN);
                return;
            }
            var finding =
                    new Finding(
                            move.before().key(),
                            move.before().spec().schedulerName(),
                            move.after().nodeName(),
                            Instant.now(),
                            result(move, standing.get()),
                            standing.get());
            tally.add(finding);
            observer.judged(finding, System.nanoTime() - begin);
        } catch (ExecutionException broken) {
            tally.failed(move.before().key() + ": " + broken.getCause());
            observer.leftOut(Omission.ERROR);
        }
    }

    private Result result(Move move, Standing standing)
            throws InterruptedException, ExecutionException {
        if (standing.isBest()) {
            return Result.BEST;
        }
        var gone = leavings.stream().map(Move::before).toList();
        for (var thought : Thought.about(move, later(), List.copyOf(moves), gone)) {
            if (isBestIn(thought, move)) {
                return Result.UNDER_WAY;
            }
        }
        if (!standing.isFeasible()) {
            return Result.REFUSED;
        }
        return standing.feasible() > standing.enough() ? Result.SAMPLED : Result.WORSE;
    }

    /// The bindings that are held back: seen after the one that is judged. A pod that was seen only
    /// after it was decided later.
    private List<Move> later() {
        var later = new ArrayList<Move>();
        var taken = new HashSet<String>();
        for (var news : held) {
            if (later.size() == MOST_MOVES) {
                break;
            }
            if (news.object instanceof Pod pod && pod.isAssigned()) {
                var known = pods.get(pod.key());
                if (known != null
                        && !known.pod.isAssigned()
                        && known.pod.uid().equals(pod.uid())
                        && taken.add(pod.key())) {
                    later.add(new Move(known.pod, pod, known.order, news.atNanos));
                }
            }
        }
        // The one that is judged has no node yet either, but it is not in the line any more.
        return later;
    }

    private boolean isBestIn(Thought thought, Move move)
            throws InterruptedException, ExecutionException {
        thought.tell(told);
        try {
            return standing(move).map(Standing::isBest).orElse(false);
        } finally {
            thought.takeBack(told);
        }
    }

    private Optional<Standing> standing(Move move) throws InterruptedException, ExecutionException {
        return get(twin.ask(asked -> asked.standing(move.before(), move.after().nodeName())));
    }

    private <T> void ask(Function<EngineQueries, T> question) throws InterruptedException {
        try {
            var _ = get(twin.ask(question));
        } catch (ExecutionException broken) {
            tally.failed(String.valueOf(broken.getCause()));
        }
    }

    private static <T> T get(CompletableFuture<T> answer)
            throws InterruptedException, ExecutionException {
        try {
            return answer.get(ANSWER_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException slow) {
            throw new ExecutionException("no answer within " + ANSWER_LIMIT, slow);
        }
    }
}
