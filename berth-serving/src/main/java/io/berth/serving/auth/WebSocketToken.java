package io.berth.serving.auth;

import io.berth.serving.http.Call;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Knows callers by a token among the protocols of a WebSocket request, the only place where a
/// browser can put one.
final class WebSocketToken implements Authenticator {
    private static final String PREFIX = "base64url.bearer.authorization.k8s.io.";

    private final Tokens tokens;

    WebSocketToken(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public Verdict authenticate(Call call) {
        if (!isWebSocket(call)) {
            return Verdict.NO_OPINION;
        }
        List<String> found = new ArrayList<>();
        int others = 0;
        for (String header : call.headerValues("Sec-WebSocket-Protocol")) {
            for (String protocol : header.split(",", -1)) {
                if (protocol.strip().startsWith(PREFIX)) {
                    found.add(protocol.strip().substring(PREFIX.length()));
                } else {
                    others++;
                }
            }
        }
        if (found.size() > 1) {
            return new Verdict.Failed("multiple base64.bearer.authorization tokens specified");
        }
        if (found.isEmpty()) {
            return Verdict.NO_OPINION;
        }
        Optional<String> token = decoded(found.getFirst());
        if (token.isEmpty()) {
            return new Verdict.Failed("invalid base64.bearer.authorization token encoding");
        }
        if (token.get().isEmpty()) {
            return Verdict.NO_OPINION;
        }
        return others == 0
                ? new Verdict.Failed("missing additional subprotocol")
                : tokens.owner(token.get());
    }

    private static boolean isWebSocket(Call call) {
        return call.header("Upgrade").equalsIgnoreCase("websocket")
                && call.header("Connection").toLowerCase(Locale.ROOT).contains("upgrade");
    }

    private static Optional<String> decoded(String text) {
        try {
            return Optional.of(
                    new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }
}
