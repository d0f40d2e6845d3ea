package io.berth.api.spec;

import io.berth.api.amount.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// A container, as far as placing its pod depends on it.
///
/// @param hostPorts those of its ports that are the node's too
/// @param portPlaces where each of them stands in the list of all its ports, counted from 0
/// @param restartable an init container with `restartPolicy: Always`: a sidecar
public record Container(
        String name,
        String image,
        Map<String, Quantity> requests,
        Map<String, Quantity> limits,
        List<HostPort> hostPorts,
        List<Integer> portPlaces,
        boolean restartable) {
    public Container {
        requests = Map.copyOf(requests);
        limits = Map.copyOf(limits);
        hostPorts = List.copyOf(hostPorts);
        portPlaces = List.copyOf(portPlaces);
        if (hostPorts.size() != portPlaces.size()) {
            throw new IllegalArgumentException(
                    "%d ports at %d places".formatted(hostPorts.size(), portPlaces.size()));
        }
    }

    /// A container that has no ports besides those of the node.
    public Container(
            String name,
            String image,
            Map<String, Quantity> requests,
            Map<String, Quantity> limits,
            List<HostPort> hostPorts,
            boolean restartable) {
        this(
                name,
                image,
                requests,
                limits,
                hostPorts,
                IntStream.range(0, hostPorts.size()).boxed().toList(),
                restartable);
    }

    public static Container of(String name, String image, Map<String, Quantity> requests) {
        return new Container(name, image, requests, Map.of(), List.of(), false);
    }

    public Container withResources(Map<String, Quantity> requested, Map<String, Quantity> limited) {
        return new Container(name, image, requested, limited, hostPorts, portPlaces, restartable);
    }

    /// The same where a port is no longer the node's; all others stay where they are.
    public Container withoutHostPort(HostPort port) {
        var ports = new ArrayList<HostPort>();
        var places = new ArrayList<Integer>();
        for (int i = 0; i < hostPorts.size(); i++) {
            if (!hostPorts.get(i).equals(port)) {
                ports.add(hostPorts.get(i));
                places.add(portPlaces.get(i));
            }
        }
        return new Container(name, image, requests, limits, ports, places, restartable);
    }
}
