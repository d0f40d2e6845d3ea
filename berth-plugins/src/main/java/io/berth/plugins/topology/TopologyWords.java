package io.berth.plugins.topology;

import io.berth.api.model.Node;

/// Names places as people do: `zone a`, `node web-0`, and `rack=7` where a label has no name.
public final class TopologyWords {
    private TopologyWords() {}

    /// Such as `in zone a`, `on node web-0`.
    public static String at(String key, String value) {
        return (key.equals(Node.HOSTNAME_LABEL) ? "on " : "in ") + of(key, value);
    }

    public static String of(String key, String value) {
        return switch (key) {
            case Node.ZONE_LABEL -> value.startsWith("zone") ? value : "zone " + value;
            case Node.HOSTNAME_LABEL -> "node " + value;
            default -> key + "=" + value;
        };
    }
}
