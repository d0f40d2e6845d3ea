package io.berth.engine.queue;

import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class RecordingMetrics implements QueueMetrics {
    final List<String> incoming = new ArrayList<>();
    final Map<String, Integer> refused = new TreeMap<>();
    final Map<String, Integer> inFlight = new TreeMap<>();
    final List<String> hints = new ArrayList<>();
    final List<String> preEnqueue = new ArrayList<>();
    final List<String> preEnqueuePlugins = new ArrayList<>();

    @Override
    public void incoming(String queue, String event) {
        incoming.add(queue + " " + event);
    }

    @Override
    public void refused(String plugin, String profile, int delta) {
        change(refused, plugin, delta);
    }

    @Override
    public void inFlightEvents(String event, int delta) {
        change(inFlight, event, delta);
    }

    @Override
    public boolean wantsDurations() {
        return true;
    }

    @Override
    public void hint(String plugin, String event, String result, long nanos) {
        hints.add(plugin + " " + event + " " + result);
    }

    @Override
    public void preEnqueue(String profile, StatusCode status, long nanos) {
        preEnqueue.add(profile + " " + status.text());
    }

    @Override
    public void preEnqueuePlugin(String plugin, StatusCode status, long nanos) {
        preEnqueuePlugins.add(plugin + " " + status.text());
    }

    private static void change(Map<String, Integer> gauges, String name, int delta) {
        gauges.merge(name, delta, (a, b) -> a + b == 0 ? null : a + b);
    }
}
