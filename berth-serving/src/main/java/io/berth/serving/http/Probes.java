package io.berth.serving.http;

import java.util.Set;

/// Calls that ask how the process is and show no token. They are cheap: nobody has to be asked who
/// calls. A process that cannot answer them is restarted, so they are never refused.
final class Probes {
    private static final Set<String> PATHS = Set.of("/healthz", "/livez", "/readyz");

    private Probes() {}

    static boolean isProbe(Call call) {
        return PATHS.contains(call.path())
                && !call.headers().containsKey("Authorization")
                && !call.headers().containsKey("Sec-WebSocket-Protocol");
    }
}
