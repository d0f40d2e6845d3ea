package io.berth.api.spec;

import io.berth.api.amount.Quantity;
import java.util.List;
import java.util.Map;

/// A container, as far as placing its pod depends on it.
///
/// @param restartable an init container with `restartPolicy: Always`: a sidecar
public record Container(
        String name,
        String image,
        Map<String, Quantity> requests,
        Map<String, Quantity> limits,
        List<HostPort> hostPorts,
        boolean restartable) {
    public Container {
        requests = Map.copyOf(requests);
        limits = Map.copyOf(limits);
        hostPorts = List.copyOf(hostPorts);
    }

    public static Container of(String name, String image, Map<String, Quantity> requests) {
        return new Container(name, image, requests, Map.of(), List.of(), false);
    }
}
