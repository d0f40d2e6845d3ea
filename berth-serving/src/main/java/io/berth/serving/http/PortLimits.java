package io.berth.serving.http;

import java.time.Duration;

/// How much of the process a port may take. Who asks for health is nobody's burden, so only other
/// calls are refused.
///
/// @param connections that are open at once; more wait until one of them ends
/// @param handshakes under way at once; more connections wait until one of them is done. A greeting
///   costs far more than a call, and of a thousand begun together none would end in time
/// @param calls at work at once; more are refused at once
/// @param streams replies that are sent as they come about, each on a thread of its own; more are
///   refused at once
/// @param idle after which a connection ends, whether it asks for nothing or takes nothing
/// @param silence after which a connection makes room where others wait
/// @param start which a handshake may take, and after that the first whole request
record PortLimits(
        int connections,
        int handshakes,
        int calls,
        int streams,
        Duration idle,
        Duration silence,
        Duration start) {
    static final PortLimits DEFAULT =
            new PortLimits(
                    2_048,
                    64,
                    32,
                    16,
                    Duration.ofSeconds(90),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(32));

    PortLimits withStart(Duration other) {
        return new PortLimits(connections, handshakes, calls, streams, idle, silence, other);
    }
}
