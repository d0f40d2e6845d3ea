package io.berth.controllers.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Counts the pods of a job that have ended, each once.
///
/// ```
/// ended, with finalizer ──► named in the status ──► finalizer taken away ──► counted, not named
/// ```
///
/// A pod that is named is not counted twice, and one whose finalizer is gone was named before: so
/// the count is right wherever the controller stops in between, and whoever deletes pods.
///
/// @param written the pods that the status names or counts now and that need no finalizer any more
/// @param active pods that still may end well
record Tally(
        long succeeded,
        long failed,
        Set<Integer> completed,
        Collection<String> namedSucceeded,
        Collection<String> namedFailed,
        long countedSucceeded,
        long countedFailed,
        List<PodFacts> written,
        int active,
        int recentFailures,
        Instant lastFailure) {
    static final String FINALIZER = "batch.kubernetes.io/job-tracking";

    static Tally of(KubeObject job, List<PodFacts> pods) {
        JsonNode status = job.status();
        var byUid = new HashMap<String, PodFacts>();
        pods.forEach(pod -> byUid.put(pod.meta().uid(), pod));
        JsonNode named = status.path("uncountedTerminatedPods");
        var succeeded = new LinkedHashSet<String>();
        var failed = new LinkedHashSet<String>();
        long countedSucceeded = status.path("succeeded").asLong(0);
        long countedFailed = status.path("failed").asLong(0);
        countedSucceeded += settle(named.path("succeeded"), byUid, succeeded);
        countedFailed += settle(named.path("failed"), byUid, failed);
        Set<Integer> completed = indexes(status.path("completedIndexes").asText(""));
        boolean indexed = JobSpec.isIndexed(job);
        if (indexed) {
            countedSucceeded = completed.size();
        }
        var written = new ArrayList<PodFacts>();
        int failures = 0;
        Instant last = Instant.EPOCH;
        for (PodFacts pod : pods) {
            boolean over = pod.isFinished() || pod.meta().isDeleting();
            if (!over) {
                continue;
            }
            boolean good = pod.phase().equals("Succeeded");
            if (!good && pod.phase().equals("Failed")) {
                failures++;
                last = pod.meta().created().isAfter(last) ? pod.meta().created() : last;
            }
            if (!pod.meta().finalizers().contains(FINALIZER)) {
                continue;
            }
            written.add(pod);
            if (good && indexed) {
                completed.add(JobPods.index(pod));
            } else if (good) {
                succeeded.add(pod.meta().uid());
            } else {
                failed.add(pod.meta().uid());
            }
        }
        if (indexed) {
            countedSucceeded = completed.size();
        }
        return new Tally(
                countedSucceeded + succeeded.size(),
                countedFailed + failed.size(),
                completed,
                succeeded,
                failed,
                countedSucceeded,
                countedFailed,
                written,
                (int) pods.stream().filter(PodFacts::isActive).count(),
                failures,
                last);
    }

    /// How many of the named ones have lost their finalizer; the others stay named.
    private static long settle(JsonNode names, Map<String, PodFacts> pods, Set<String> still) {
        long settled = 0;
        for (JsonNode each : names) {
            PodFacts pod = pods.get(each.asText());
            if (pod != null && pod.meta().finalizers().contains(FINALIZER)) {
                still.add(each.asText());
            } else {
                settled++;
            }
        }
        return settled;
    }

    boolean isCounted() {
        return namedSucceeded.isEmpty() && namedFailed.isEmpty();
    }

    void write(ObjectNode status) {
        count(status, "succeeded", countedSucceeded);
        count(status, "failed", countedFailed);
        if (!completed.isEmpty()) {
            status.put("completedIndexes", text(new TreeSet<>(completed)));
        }
        ObjectNode named = status.putObject("uncountedTerminatedPods");
        if (!namedSucceeded.isEmpty()) {
            Trees.put(named, "succeeded", List.copyOf(namedSucceeded));
        }
        if (!namedFailed.isEmpty()) {
            Trees.put(named, "failed", List.copyOf(namedFailed));
        }
    }

    private static void count(ObjectNode status, String field, long value) {
        if (value == 0) {
            status.remove(field);
        } else {
            status.put(field, value);
        }
    }

    /// Reads `0,2-4,7`.
    static Set<Integer> indexes(String text) {
        var indexes = new TreeSet<Integer>();
        for (String part : text.split(",", -1)) {
            if (part.matches("[0-9]{1,9}")) {
                indexes.add(Integer.valueOf(part));
            } else if (part.matches("[0-9]{1,9}-[0-9]{1,9}")) {
                String[] ends = part.split("-", -1);
                for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[1]); i++) {
                    indexes.add(i);
                }
            }
        }
        return indexes;
    }

    /// Writes `0,2-4,7`.
    static String text(TreeSet<Integer> indexes) {
        var text = new StringBuilder();
        Integer from = null;
        for (Integer each : indexes) {
            if (from == null) {
                from = each;
            }
            if (!indexes.contains(each + 1)) {
                text.append(text.isEmpty() ? "" : ",").append(from);
                text.append(from.equals(each) ? "" : (each - from == 1 ? "," : "-") + each);
                from = null;
            }
        }
        return text.toString();
    }
}
