package io.berth.kube.connection;

import java.net.InetAddress;

/// Ranges of addresses such as `10.0.0.0/8`.
final class Cidr {
    private Cidr() {}

    /// Whether `host` is an address in the range. Names are never looked up: a host that is no
    /// literal address is in no range.
    static boolean contains(String range, String host) {
        int slash = range.indexOf('/');
        if (slash < 0) {
            return false;
        }
        try {
            byte[] base = InetAddress.ofLiteral(range.substring(0, slash)).getAddress();
            byte[] address = InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).getAddress();
            int bits = Integer.parseInt(range.substring(slash + 1));
            if (base.length != address.length || bits < 0 || bits > 8 * base.length) {
                return false;
            }
            for (int i = 0; i < bits; i++) {
                int mask = 0x80 >> (i & 7);
                if ((base[i >> 3] & mask) != (address[i >> 3] & mask)) {
                    return false;
                }
            }
            return true;
        } catch (IllegalArgumentException noLiteral) {
            return false;
        }
    }
}
