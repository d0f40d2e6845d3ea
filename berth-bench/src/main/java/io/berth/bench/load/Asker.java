package io.berth.bench.load;

import io.berth.e2e.HttpApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Somebody who asks a scheduler why pods wait, so many times a second, whether or not the last
/// answer has come.
final class Asker {
    private static final int AT_ONCE = 8;
    private static final int TOO_MANY = 429;

    private final HttpApi scheduler;
    private final String namespace;
    private final int pods;
    private final int perSecond;

    // Under the lock of this object.
    private final List<Double> millis = new ArrayList<>();
    private int refused;

    /// @param pods how many wait, called as those of [Workloads#waiting]
    Asker(HttpApi scheduler, String namespace, int pods, int perSecond) {
        this.scheduler = scheduler;
        this.namespace = namespace;
        this.pods = pods;
        this.perSecond = perSecond;
    }

    /// How long answers took.
    record Answers(List<Double> sorted, int refused) {
        Answers {
            sorted = sorted.stream().sorted().toList();
        }

        String line(String when) {
            return sorted.isEmpty()
                    ? String.format(Locale.ROOT, "| %s | – | – | – | 0 | %d |%n", when, refused)
                    : String.format(
                            Locale.ROOT,
                            "| %s | %.0f | %.0f | %.0f | %d | %d |%n",
                            when,
                            at(0.5),
                            at(0.99),
                            at(1),
                            sorted.size(),
                            refused);
        }

        private double at(double share) {
            return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())));
        }
    }

    /// All answers since the last look.
    synchronized Answers answers() {
        var answers = new Answers(millis, refused);
        millis.clear();
        refused = 0;
        return answers;
    }

    /// Asks until it is closed.
    AutoCloseable begin() {
        var clock = Executors.newScheduledThreadPool(AT_ONCE);
        var numbers = new AtomicInteger();
        var _ =
                clock.scheduleAtFixedRate(
                        () -> clock.execute(() -> ask(numbers.getAndIncrement() % pods)),
                        0,
                        TimeUnit.SECONDS.toNanos(1) / perSecond,
                        TimeUnit.NANOSECONDS);
        return () -> {
            clock.shutdownNow();
            var _ = clock.awaitTermination(1, TimeUnit.MINUTES);
        };
    }

    private void ask(int pod) {
        long begin = System.nanoTime();
        var answer =
                scheduler.get(
                        "/berth/v1/namespaces/"
                                + namespace
                                + "/pods/waiting"
                                + pod
                                + "/explanation");
        double took = (System.nanoTime() - begin) / 1e6;
        synchronized (this) {
            if (answer.status() == TOO_MANY) {
                refused++;
            } else {
                var _ = answer.ok();
                millis.add(took);
            }
        }
    }
}
