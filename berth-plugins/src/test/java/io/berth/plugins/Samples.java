package io.berth.plugins;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.NodeBuilder;
import io.berth.api.model.Pod;
import io.berth.api.model.PodBuilder;
import io.berth.api.plugin.Events;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.PodSpecBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Short ways to say what a test is about.
public final class Samples {
    public static final long GIB = 1L << 30;
    public static final long MIB = 1L << 20;

    private Samples() {}

    public static NodeBuilder node(String name, String... labels) {
        return Node.builder(name)
                .labels(Labels.of(labels))
                .allocatable(new Resources(4000, 8 * GIB, 0, 110, Map.of()));
    }

    public static NodeBuilder zoned(String name, String zone) {
        return node(name, Node.HOSTNAME_LABEL, name, Node.ZONE_LABEL, zone);
    }

    public static PodBuilder pod(String name, String... labels) {
        return Pod.builder("default", name)
                .labels(Labels.of(labels))
                .spec(spec().container(container(Map.of())).build());
    }

    public static Pod pod(String name, PodSpecBuilder spec) {
        return Pod.builder("default", name).spec(spec.build()).build();
    }

    public static PodSpecBuilder spec() {
        return PodSpec.builder();
    }

    /// A container from alternating resource names and quantities.
    public static Container container(String... requests) {
        var map = new LinkedHashMap<String, Quantity>();
        for (int i = 0; i < requests.length; i += 2) {
            map.put(requests[i], Quantity.parse(requests[i + 1]));
        }
        return container(map);
    }

    public static Container container(Map<String, Quantity> requests) {
        return Container.of("c", "image", requests);
    }

    public static Container sidecar(String... requests) {
        var plain = container(requests);
        return new Container("s", "image", plain.requests(), Map.of(), List.of(), true);
    }

    /// What the plugin's registrations say about an event, as the queue would ask them: the
    /// registrations that match, any of which may wake.
    public static Hint hint(
            Events plugin,
            ClusterEvent event,
            Pod waiting,
            @Nullable ClusterObject before,
            @Nullable ClusterObject after) {
        for (Registration registration : plugin.events()) {
            if (registration.event().matches(event)
                    && registration.hint().judge(waiting, before, after) == Hint.QUEUE) {
                return Hint.QUEUE;
            }
        }
        return Hint.SKIP;
    }
}
