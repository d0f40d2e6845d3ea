package io.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// A pod in three words: how many containers are ready, what it is up to, how often it restarted.
final class PodSummary {
    private final JsonNode pod;
    private final JsonNode status;
    private final Set<String> sidecars = new HashSet<>();
    private int ready;
    private long restarts;
    private long sidecarRestarts;
    private Optional<Instant> lastRestart = Optional.empty();
    private Optional<Instant> lastSidecarRestart = Optional.empty();
    private String reason;

    PodSummary(JsonNode pod) {
        this.pod = pod;
        this.status = pod.path("status");
        String given = status.path("reason").asText("");
        reason = given.isEmpty() ? status.path("phase").asText("") : given;
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("reason").asText("").equals("SchedulingGated")) {
                reason = "SchedulingGated";
            }
        }
        for (JsonNode container : pod.path("spec").path("initContainers")) {
            if (container.path("restartPolicy").asText("").equals("Always")) {
                sidecars.add(container.path("name").asText());
            }
        }
        boolean initializing = readInitContainers();
        if (!initializing || isTrue("Initialized")) {
            readContainers();
        }
        if (pod.path("metadata").has("deletionTimestamp")) {
            String phase = status.path("phase").asText("");
            if (given.equals("NodeLost")) {
                reason = "Unknown";
            } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
                reason = "Terminating";
            }
        }
    }

    /// Such as `1/2`.
    String ready() {
        return ready + "/" + (pod.path("spec").path("containers").size() + sidecars.size());
    }

    /// Such as `Running`, `Init:0/1` or `CrashLoopBackOff`.
    String status() {
        return reason;
    }

    /// Such as `3 (5m ago)`.
    String restarts(Instant now) {
        if (restarts == 0 || lastRestart.isEmpty()) {
            return Long.toString(restarts);
        }
        Duration ago = Duration.between(lastRestart.get(), now);
        return restarts + " (" + Durations.human(ago) + " ago)";
    }

    /// How many readiness gates have their condition, such as `1/2`.
    static String readinessGates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        if (gates.isEmpty()) {
            return "<none>";
        }
        long open =
                gates.valueStream()
                        .filter(gate ->
                                isTrue(pod.path("status"), gate.path("conditionType").asText()))
                        .count();
        return open + "/" + gates.size();
    }

    /// Reads up to the first init container that is not done; true if there is one.
    private boolean readInitContainers() {
        JsonNode statuses = status.path("initContainerStatuses");
        for (int i = 0; i < statuses.size(); i++) {
            JsonNode container = statuses.get(i);
            boolean sidecar = sidecars.contains(container.path("name").asText());
            long count = container.path("restartCount").asLong();
            restarts += count;
            lastRestart = later(lastRestart, lastEnd(container));
            if (sidecar) {
                sidecarRestarts += count;
                lastSidecarRestart = later(lastSidecarRestart, lastEnd(container));
            }
            JsonNode terminated = container.path("state").path("terminated");
            String waiting = container.path("state").path("waiting").path("reason").asText("");
            if (terminated.isObject() && terminated.path("exitCode").asInt() == 0) {
                continue;
            }
            if (sidecar && container.path("started").asBoolean()) {
                ready += container.path("ready").asBoolean() ? 1 : 0;
                continue;
            }
            if (terminated.isObject()) {
                reason = "Init:" + endReason(terminated);
            } else if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
                reason = "Init:" + waiting;
            } else {
                reason = "Init:" + i + "/" + pod.path("spec").path("initContainers").size();
            }
            return true;
        }
        return false;
    }

    private void readContainers() {
        restarts = sidecarRestarts;
        lastRestart = lastSidecarRestart;
        boolean running = false;
        String error = "";
        JsonNode statuses = status.path("containerStatuses");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            JsonNode container = statuses.get(i);
            restarts += container.path("restartCount").asLong();
            lastRestart = later(lastRestart, lastEnd(container));
            JsonNode terminated = container.path("state").path("terminated");
            String waiting = container.path("state").path("waiting").path("reason").asText("");
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (terminated.isObject()) {
                reason = endReason(terminated);
                if (terminated.path("exitCode").asInt() != 0) {
                    error = reason;
                }
            } else if (container.path("ready").asBoolean()
                    && container.path("state").has("running")) {
                running = true;
                ready++;
            }
        }
        if (reason.equals("Completed")) {
            if (running && isTrue("Ready")) {
                reason = "Running";
            } else if (!error.isEmpty()) {
                reason = error;
            } else if (running) {
                reason = "NotReady";
            }
        }
    }

    private static String endReason(JsonNode terminated) {
        String given = terminated.path("reason").asText("");
        if (!given.isEmpty()) {
            return given;
        }
        int signal = terminated.path("signal").asInt();
        return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.path("exitCode").asInt();
    }

    private static Optional<Instant> lastEnd(JsonNode container) {
        return Durations.instant(container.path("lastState").path("terminated").path("finishedAt"));
    }

    private static Optional<Instant> later(Optional<Instant> a, Optional<Instant> b) {
        return a.isEmpty() || (b.isPresent() && b.get().isAfter(a.get())) ? b : a;
    }

    private boolean isTrue(String condition) {
        return isTrue(status, condition);
    }

    private static boolean isTrue(JsonNode status, String type) {
        return status.path("conditions")
                .valueStream()
                .anyMatch(condition ->
                        condition.path("type").asText().equals(type)
                                && condition.path("status").asText().equals("True"));
    }
}
