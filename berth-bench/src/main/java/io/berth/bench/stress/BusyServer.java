package io.berth.bench.stress;

import io.berth.apiserver.http.Hindrance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/// How the API server treats the scheduler: some writes take long, from time to time all of them
/// are refused with 429 and Retry-After, and now and then one is carried out and not answered. It
/// keeps account of that, so that the scheduler is not blamed for what the server did.
///
/// Asked by many threads at once.
final class BusyServer implements Hindrance {
    private static final Pattern POD =
            Pattern.compile("/api/v1/namespaces/[^/]+/pods/([^/]+)/?(.*)");
    private static final String SCHEDULER = "kube-scheduler/";
    private static final int RETRY_AFTER_SECONDS = 1;

    private final SplittableRandom random;
    private final Bindings bindings;
    private final Map<String, List<Held>> heldByPod = new ConcurrentHashMap<>();
    private final Set<String> lostBindings = ConcurrentHashMap.newKeySet();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile boolean isCalm;
    private volatile long refusesFromNanos;
    private volatile long refusesUntilNanos;

    /// A time for which the server kept a write of a pod waiting.
    private record Held(long fromNanos, long untilNanos) {
        long nanosWithin(long from, long until) {
            return Math.max(0, Math.min(untilNanos, until) - Math.max(fromNanos, from));
        }
    }

    BusyServer(long seed, Bindings bindings) {
        this.random = new SplittableRandom(seed);
        this.bindings = bindings;
        planRefusals(System.nanoTime());
    }

    void calm() {
        isCalm = true;
    }

    @Override
    public Fate of(Call call) {
        if (isCalm || !call.userAgent().startsWith(SCHEDULER)) {
            arrived(call);
            return Fate.SERVED;
        }
        if (call.verb().equals("GET") || call.path().contains("/events")) {
            return Fate.after(Duration.ofMillis(between(0, 100)));
        }
        arrived(call);
        writes.incrementAndGet();
        var fate = fate(call);
        note(call, fate);
        return fate;
    }

    private void arrived(Call call) {
        var pod = POD.matcher(call.path());
        if (pod.matches() && pod.group(2).equals("binding")) {
            long now = System.nanoTime();
            bindings.arrived(pod.group(1), now, since -> heldNanos(pod.group(1), since, now));
        }
    }

    private synchronized Fate fate(Call call) {
        long now = System.nanoTime();
        if (now > refusesUntilNanos) {
            planRefusals(now);
        }
        if (now >= refusesFromNanos) {
            refused.incrementAndGet();
            return Fate.oneTooMany(RETRY_AFTER_SECONDS);
        }
        var fate = Fate.after(Duration.ofMillis(slowness()));
        return isLost(call) ? fate.withLostAnswer() : fate;
    }

    private int slowness() {
        int dice = between(0, 99);
        return dice < 70 ? between(0, 30) : dice < 95 ? between(30, 300) : between(500, 2000);
    }

    /// A binding whose answer is lost may be given up by the scheduler though it holds; whoever
    /// preempted others would then have to do so again. So those are spared.
    private boolean isLost(Call call) {
        boolean isBinding = call.path().endsWith("/binding");
        return !(isBinding && call.path().contains("/" + Users.BOSS))
                && between(0, 999) < (isBinding ? 3 : 10);
    }

    private void planRefusals(long now) {
        refusesFromNanos = now + between(8_000, 20_000) * 1_000_000L;
        refusesUntilNanos = refusesFromNanos + between(1_000, 4_000) * 1_000_000L;
    }

    private synchronized int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    private void note(Call call, Fate fate) {
        var pod = POD.matcher(call.path());
        if (!pod.matches()) {
            return;
        }
        long now = System.nanoTime();
        long until = now + fate.delay().toNanos() + fate.retryAfterSeconds() * 1_000_000_000L;
        heldByPod
                .computeIfAbsent(pod.group(1), _ -> new CopyOnWriteArrayList<>())
                .add(new Held(now, until));
        if (fate.isAnswerLost()) {
            lost.incrementAndGet();
            if (pod.group(2).equals("binding")) {
                lostBindings.add(pod.group(1));
            }
        }
    }

    /// For how long within a time the server kept writes of a pod waiting.
    private long heldNanos(String pod, long from, long until) {
        long sum = 0;
        for (var held : heldByPod.getOrDefault(pod, List.of())) {
            sum += held.nanosWithin(from, until);
        }
        return sum;
    }

    /// Whether the scheduler could not know that a pod of this name was bound.
    boolean lostBindingOf(String pod) {
        return lostBindings.contains(pod);
    }

    long writeCount() {
        return writes.get();
    }

    long refusedCount() {
        return refused.get();
    }

    long lostCount() {
        return lost.get();
    }
}
