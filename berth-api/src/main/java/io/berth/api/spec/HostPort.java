package io.berth.api.spec;

/// A port of the node's own address that a container asks for. Absent address and protocol are
/// filled in, so equal wishes are equal objects.
public record HostPort(String ip, String protocol, int port) {
    public static final String ANY_IP = "0.0.0.0";

    public HostPort {
        ip = ip.isEmpty() ? ANY_IP : ip;
        protocol = protocol.isEmpty() ? "TCP" : protocol;
    }

    /// Whether both cannot be had on one node. `::` is an ordinary address, as upstream has it.
    public boolean conflictsWith(HostPort other) {
        return port == other.port
                && port > 0
                && protocol.equals(other.protocol)
                && (ip.equals(other.ip) || ip.equals(ANY_IP) || other.ip.equals(ANY_IP));
    }
}
