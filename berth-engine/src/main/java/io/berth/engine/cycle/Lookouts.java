package io.berth.engine.cycle;

import io.berth.api.plugin.Awaited;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Point;
import io.berth.engine.message.Setback;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Bindings that wait for what others do, each looked after in turns until it has happened, failed,
/// taken too long or been cancelled. Owned by the engine thread, which never waits for any of them.
final class Lookouts {
    private final PriorityQueue<Lookout> byTime =
            new PriorityQueue<>(
                    Comparator.<Lookout>comparingLong(each -> each.dueMillis)
                            .thenComparingLong(each -> each.number));
    private final Map<String, List<Lookout>> byPod = new HashMap<>();
    private long last;

    private static final class Lookout {
        final long number;
        final String podUid;
        final String plugin;
        final Awaited awaited;
        final long deadlineMillis;
        final Consumer<@Nullable Setback> then;
        long dueMillis;

        Lookout(
                long number,
                String podUid,
                String plugin,
                Awaited awaited,
                long nowMillis,
                Consumer<@Nullable Setback> then) {
            this.number = number;
            this.podUid = podUid;
            this.plugin = plugin;
            this.awaited = awaited;
            this.then = then;
            this.deadlineMillis = nowMillis + awaited.limit().toMillis();
            schedule(nowMillis);
        }

        void schedule(long nowMillis) {
            dueMillis = Math.min(nowMillis + awaited.every().toMillis(), deadlineMillis);
        }

        Setback broken(Throwable why) {
            return Setback.broken(PluginFailure.running(Point.PRE_BIND, plugin, why));
        }
    }

    /// Waits for something on behalf of a pod.
    ///
    /// @param then told once: null where it has happened, else why it will not
    void begin(
            String podUid,
            String plugin,
            Awaited awaited,
            long nowMillis,
            Consumer<@Nullable Setback> then) {
        var lookout = new Lookout(++last, podUid, plugin, awaited, nowMillis, then);
        byTime.add(lookout);
        byPod.computeIfAbsent(podUid, key -> new ArrayList<>()).add(lookout);
    }

    /// When to look again; `Long.MAX_VALUE` where nothing is awaited.
    long nextMillis() {
        var next = byTime.peek();
        return next == null ? Long.MAX_VALUE : next.dueMillis;
    }

    /// Looks after those whose turn it is.
    void look(long nowMillis) {
        for (var next = byTime.peek();
                next != null && next.dueMillis <= nowMillis;
                next = byTime.peek()) {
            byTime.remove(next);
            look(next, nowMillis);
        }
    }

    private void look(Lookout lookout, long nowMillis) {
        try {
            if (lookout.awaited.hasHappened()) {
                end(lookout, null);
                return;
            }
        } catch (Throwable hopeless) {
            end(lookout, lookout.broken(hopeless));
            return;
        }
        if (nowMillis >= lookout.deadlineMillis) {
            end(lookout, lookout.broken(new TimeoutException(lookout.awaited.lateMessage())));
        } else {
            lookout.schedule(nowMillis);
            byTime.add(lookout);
        }
    }

    private void end(Lookout lookout, @Nullable Setback problem) {
        byPod.computeIfPresent(
                lookout.podUid,
                (_, all) -> {
                    all.remove(lookout);
                    return all.isEmpty() ? null : all;
                });
        lookout.then.accept(problem);
    }

    /// Nothing is awaited for the pod any longer; whoever waits is told why.
    void cancel(String podUid, Setback problem) {
        for (var lookout : List.copyOf(byPod.getOrDefault(podUid, List.of()))) {
            if (byTime.remove(lookout)) {
                end(lookout, problem);
            }
        }
    }
}
