package io.berth.kube.lease;

import java.util.UUID;

/// The name under which a process competes: its host, and what tells it from others there (P-220).
public final class Identity {
    private Identity() {}

    public static String of(String host) {
        return host + "_" + UUID.randomUUID();
    }
}
