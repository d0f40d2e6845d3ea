package io.berth.kube.codec.kind;

import io.berth.api.amount.Quantity;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.PodSpecBuilder;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a container of a pod's spec.
final class ContainerReader {
    private static final ResourceLists NO_RESOURCES = new ResourceLists(null, Map.of());
    private static final HostPorts NO_PORTS = new HostPorts(List.of(), List.of());

    private ContainerReader() {}

    /// Ports of the node, and where each stands in the list of all ports.
    private record HostPorts(List<HostPort> ports, List<Integer> places) {}

    /// The lists of a `resources` object.
    ///
    /// @param requests null where absent
    record ResourceLists(@Nullable Map<String, Quantity> requests, Map<String, Quantity> limits) {
        Map<String, Quantity> requestsOrNone() {
            return requests == null ? Map.of() : requests;
        }
    }

    /// @param pod told where the container's restart rules concern the whole pod
    static Container read(ObjectInput in, PodSpecBuilder pod) throws IOException {
        String name = "";
        String image = "";
        var resources = NO_RESOURCES;
        var ports = NO_PORTS;
        boolean restartable = false;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "name" -> name = in.sharedText();
                case "image" -> image = in.sharedText();
                case "resources" -> resources = resources(in);
                case "ports" -> ports = ports(in);
                case "restartPolicy" -> restartable = in.sharedText().equals("Always");
                case "restartPolicyRules" -> restartRules(in, pod);
                default -> in.skip();
            }
        }
        return new Container(
                name,
                image,
                resources.requestsOrNone(),
                resources.limits,
                ports.ports,
                ports.places,
                restartable);
    }

    private static void restartRules(ObjectInput in, PodSpecBuilder pod) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                if (!field.equals("action")) {
                    in.skip();
                } else if (in.sharedText().equals("RestartAllContainers")) {
                    pod.restartsAllContainers(true);
                }
            }
        }
    }

    static ResourceLists resources(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return NO_RESOURCES;
        }
        Map<String, Quantity> requests = null;
        var limits = Map.<String, Quantity>of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "requests" -> requests = in.isNull() ? null : in.resources();
                case "limits" -> limits = in.resources();
                default -> in.skip();
            }
        }
        return new ResourceLists(requests, limits);
    }

    /// Those with a port of the node.
    private static HostPorts ports(ObjectInput in) throws IOException {
        if (!in.beginArray()) {
            return NO_PORTS;
        }
        HostPorts result = null;
        for (int place = 0; in.nextElement(); place++) {
            String ip = "";
            String protocol = "";
            int port = 0;
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "hostIP" -> ip = in.sharedText();
                    case "protocol" -> protocol = in.sharedText();
                    case "hostPort" -> port = in.integer();
                    default -> in.skip();
                }
            }
            if (port > 0) {
                result =
                        result == null
                                ? new HostPorts(new ArrayList<>(2), new ArrayList<>(2))
                                : result;
                result.ports.add(new HostPort(ip, protocol, port));
                result.places.add(place);
            }
        }
        return result == null ? NO_PORTS : result;
    }
}
