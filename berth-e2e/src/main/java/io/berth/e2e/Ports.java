package io.berth.e2e;

import io.berth.testkit.HeldPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The ports of a control plane on loopback.
///
/// A port that was merely free a moment ago may be anybody's by now. These stay bound for as long
/// as this process lives, so the system gives them to nobody who asks for any port, not even while
/// their server is away; who asks for that very one may listen on it.
record Ports(int etcdClient, int etcdPeer, int api) {
    private static final List<HeldPort> held = new CopyOnWriteArrayList<>();

    /// Three ports that nobody listens on.
    static Ports free() {
        return new Ports(freeOne(), freeOne(), freeOne());
    }

    /// One port that nobody listens on.
    static int freeOne() {
        try {
            var port = new HeldPort();
            held.add(port);
            return port.number();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on loopback", e);
        }
    }
}
