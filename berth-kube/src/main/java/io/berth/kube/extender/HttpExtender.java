package io.berth.kube.extender;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Extender;
import io.berth.api.model.Pod;
import io.berth.api.spec.Container;
import io.berth.kube.client.JsonService;
import io.berth.kube.client.WriteGate;
import io.berth.kube.connection.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/// An extender behind a URL (rules E-144 to E-147).
///
/// Calls block for as long as its time limit and are tried once. Thread-safe.
final class HttpExtender implements Extender, AutoCloseable {
    private final ExtenderSettings settings;
    private final String base;
    private final ExtenderRequests requests;
    private final JsonService service;
    private final WriteGate gate;

    /// @throws ConfigException where its address, certificates or keys cannot be used
    HttpExtender(ExtenderSettings settings, RawObjects raw, WriteGate gate) {
        this.settings = settings;
        this.gate = gate;
        this.base = settings.urlPrefix().replaceAll("/+$", "");
        this.requests = new ExtenderRequests(raw);
        var tls = settings.effectiveTls();
        if (tls.insecure() && tls.authorities() != null) {
            throw new ConfigException(
                    "specifying a root certificates file with the insecure flag is not allowed");
        }
        this.service = new JsonService(address(base), tls, settings.timeout());
        service.check();
    }

    private static URI address(String text) {
        try {
            var address = URI.create(text);
            if (address.getHost() != null
                    && ("http".equalsIgnoreCase(address.getScheme())
                            || "https".equalsIgnoreCase(address.getScheme()))) {
                return address;
            }
        } catch (IllegalArgumentException malformed) {
            // told below
        }
        throw new ConfigException(
                "the urlPrefix of an extender must be a URL that begins with http:// or https://,"
                        + " not \""
                        + text
                        + "\"");
    }

    @Override
    public String name() {
        return settings.urlPrefix();
    }

    @Override
    public boolean isIgnorable() {
        return settings.ignorable();
    }

    @Override
    public boolean isInterested(Pod pod) {
        return settings.managedResources().isEmpty()
                || namesManaged(pod.spec().containers())
                || namesManaged(pod.spec().initContainers());
    }

    private boolean namesManaged(List<Container> containers) {
        for (var container : containers) {
            for (var name : settings.managedResources()) {
                if (container.requests().containsKey(name)
                        || container.limits().containsKey(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public boolean isFilter() {
        return settings.filters();
    }

    @Override
    public boolean isPrioritizer() {
        return settings.prioritizes();
    }

    @Override
    public boolean isBinder() {
        return settings.binds();
    }

    @Override
    public boolean supportsPreemption() {
        return settings.preempts();
    }

    @Override
    public long weight() {
        return settings.weight();
    }

    @Override
    public Filtered filter(Pod pod, List<NodeView> nodes) {
        boolean byName = settings.nodeCacheCapable();
        return call(
                settings.filterVerb(),
                requests.nodes(pod, nodes, byName),
                answer -> ExtenderAnswers.filtered(answer, byName));
    }

    @Override
    public List<HostScore> prioritize(Pod pod, List<NodeView> nodes) {
        return call(
                settings.prioritizeVerb(),
                requests.nodes(pod, nodes, settings.nodeCacheCapable()),
                ExtenderAnswers::scores);
    }

    @Override
    public void bind(Pod pod, String nodeName) {
        if (gate.writeNanos() <= 0) {
            throw new ExtenderException(WriteGate.CLOSED);
        }
        call(
                settings.bindVerb(),
                ExtenderRequests.binding(pod, nodeName),
                answer -> {
                    ExtenderAnswers.bound(answer);
                    return true;
                });
    }

    @Override
    public Map<String, ChosenVictims> preempt(Pod pod, Map<String, Victims> candidates) {
        return call(
                settings.preemptVerb(),
                requests.preemption(pod, candidates, settings.nodeCacheCapable()),
                ExtenderAnswers::victims);
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read(byte[] answer) throws IOException;
    }

    private <T> T call(String verb, List<byte[]> body, Reading<T> reading) {
        var target = URI.create(base + "/" + verb);
        var answer = service.post(target, body);
        if (answer.code() != 200) {
            throw new ExtenderException(
                    "failed %s with extender at URL %s, code %d"
                            .formatted(verb, target, answer.code()));
        }
        try {
            return reading.read(answer.body());
        } catch (IOException unreadable) {
            throw new ExtenderException(
                    "failed %s with extender at URL %s: %s"
                            .formatted(verb, target, unreadable.getMessage()),
                    unreadable);
        }
    }

    @Override
    public void close() {
        service.close();
    }

    @Override
    public String toString() {
        return settings.urlPrefix();
    }
}
