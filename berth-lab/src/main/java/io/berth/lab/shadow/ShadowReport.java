package io.berth.lab.shadow;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// What a shadow has found so far.
///
/// @param results how many decisions came to what; every result is there
/// @param omissions how many pods were not judged, and why; every reason is there
/// @param plugins how often which plugin made the difference
/// @param regretSum by how many points better nodes were, in all
/// @param worst the decisions that differ most, at most [#MOST_WORST]
/// @param lastError of those that could not be judged; empty where there was none
/// @param behindMost how far judging was behind at most
public record ShadowReport(
        Instant begun,
        Duration duration,
        int nodes,
        int pods,
        Map<Result, Long> results,
        Map<Omission, Long> omissions,
        Map<String, Long> plugins,
        long regretSum,
        long regretMost,
        List<Finding> worst,
        String lastError,
        Duration behindMost) {
    public static final int MOST_WORST = 20;

    public ShadowReport {
        results = Map.copyOf(results);
        omissions = Map.copyOf(omissions);
        plugins = Map.copyOf(plugins);
        worst = List.copyOf(worst);
    }

    public long count(Result result) {
        return results.getOrDefault(result, 0L);
    }

    public long count(Omission reason) {
        return omissions.getOrDefault(reason, 0L);
    }

    public long judged() {
        return results.values().stream().mapToLong(Long::longValue).sum();
    }

    public long explained() {
        return count(Result.UNDER_WAY) + count(Result.SAMPLED);
    }

    public long unexplained() {
        return count(Result.WORSE) + count(Result.REFUSED);
    }

    public long leftOut() {
        return omissions.values().stream().mapToLong(Long::longValue).sum();
    }

    /// By how many points better nodes were on average, where there were any.
    public double regretMean() {
        long worse = count(Result.SAMPLED) + count(Result.WORSE);
        return worse == 0 ? 0 : (double) regretSum / worse;
    }
}
