package io.berth.lab.shadow;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Counts findings and keeps the worst; its size does not grow with their number. Of one thread.
final class Tally {
    private final Instant begun = Instant.now();
    private final Map<Result, Long> results = new EnumMap<>(Result.class);
    private final Map<Omission, Long> omissions = new EnumMap<>(Omission.class);
    private final Map<String, Long> plugins = new TreeMap<>();
    private final List<Finding> worst = new ArrayList<>();
    private long regretSum;
    private long regretMost;
    private long behindMostNanos;
    private String lastError = "";

    Tally() {
        for (var result : Result.values()) {
            results.put(result, 0L);
        }
        for (var reason : Omission.values()) {
            omissions.put(reason, 0L);
        }
    }

    void add(Finding finding) {
        results.merge(finding.result(), 1L, Long::sum);
        if (finding.result() == Result.BEST) {
            return;
        }
        if (finding.result() != Result.UNDER_WAY) {
            plugins.merge(finding.plugin(), 1L, Long::sum);
            regretSum += finding.standing().regret();
            regretMost = Math.max(regretMost, finding.standing().regret());
        }
        worst.add(finding);
        worst.sort(Finding.WORST_FIRST);
        if (worst.size() > ShadowReport.MOST_WORST) {
            worst.removeLast();
        }
    }

    void leftOut(Omission reason) {
        omissions.merge(reason, 1L, Long::sum);
    }

    void failed(String error) {
        lastError = error;
        leftOut(Omission.ERROR);
    }

    void behind(long nanos) {
        behindMostNanos = Math.max(behindMostNanos, nanos);
    }

    ShadowReport report(int nodes, int pods) {
        return new ShadowReport(
                begun,
                Duration.between(begun, Instant.now()),
                nodes,
                pods,
                results,
                omissions,
                plugins,
                regretSum,
                regretMost,
                worst,
                lastError,
                Duration.ofNanos(behindMostNanos));
    }
}
