package io.berth.bench.stress;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What a run has shown.
///
/// @param engineNanos the longest time without an answer of the engine
/// @param machineNanos the longest time for which the machine gave a thread no processor
/// @param bindingNanos the longest time a binding took to leave, without what the server caused
/// @param bindingOf whose that was
/// @param wrong pods whose status does not say what is true
/// @param victims by preemptor
/// @param lostRoom how many pods found no room that there was
/// @param leftWaiting how many pods wait for a permit for ever
/// @param faults what the engine thread reported as our own mistake
record Findings(
        long bindings,
        long heartbeats,
        BusyServer server,
        long engineNanos,
        long machineNanos,
        long bindingNanos,
        String bindingOf,
        List<String> wrong,
        Map<String, Set<String>> victims,
        int lostRoom,
        int leftWaiting,
        List<Throwable> faults) {
    private static final long SECOND = 1_000_000_000L;

    /// Preemptors with more victims than they need, with how many they had.
    Map<String, Integer> greedy() {
        var greedy = new TreeMap<String, Integer>();
        victims.forEach((preemptor, evicted) -> {
            if (evicted.size() > Users.BOSS_CPUS) {
                greedy.put(preemptor, evicted.size());
            }
        });
        return greedy;
    }

    boolean areGood() {
        return engineNanos < SECOND
                && bindingNanos < SECOND + machineNanos
                && wrong.isEmpty()
                && greedy().isEmpty()
                && lostRoom == 0
                && leftWaiting == 0
                && faults.isEmpty();
    }

    String table() {
        var lines = new StringBuilder();
        line(lines, "bindings asked for", bindings, "");
        line(lines, "heartbeats of nodes", heartbeats, "");
        line(lines, "writes of the scheduler", server.writeCount(), "");
        line(lines, "  refused with 429", server.refusedCount(), "");
        line(lines, "  carried out, not answered", server.lostCount(), "");
        line(lines, "preemptors", victims.size(), "");
        line(lines, "victims", victims.values().stream().mapToInt(Set::size).sum(), "");
        line(lines, "machine stood still, at most", millis(machineNanos), "ms");
        line(lines, "engine did not answer, at most", millis(engineNanos), "ms, below 1000");
        line(
                lines,
                "binding was held up by us, at most",
                millis(bindingNanos),
                "ms, below 1000 and what the machine took (" + bindingOf + ")");
        line(lines, "wrong conditions", wrong.size(), "none: " + wrong);
        line(lines, "preemptors with too many victims", greedy().size(), "none: " + greedy());
        line(lines, "room lost", lostRoom, "pods, none");
        line(lines, "left waiting for a permit", leftWaiting, "pods, none");
        line(lines, "faults of the engine", faults.size(), "none: " + faults);
        return lines.toString();
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }

    private static void line(StringBuilder lines, String what, long value, String wanted) {
        lines.append(String.format(Locale.ROOT, "%-36s %9d %s%n", what, value, wanted));
    }
}
