package io.berth.apiserver.http;

import java.io.IOException;
import java.util.List;

/// What the server offers, for clients that ask before they act.
final class DiscoveryHandler {
    /// Answers if the path is one of discovery's.
    ///
    /// @return false if the path is none of discovery's
    boolean handle(Exchange exchange, List<String> segments) throws IOException {
        return false;
    }
}
