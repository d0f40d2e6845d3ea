package io.berth.serving.auth;

import io.berth.serving.http.Call;

/// Knows callers by the token in `Authorization: Bearer`.
final class BearerToken implements Authenticator {
    private final Tokens tokens;

    BearerToken(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public Verdict authenticate(Call call) {
        String[] parts = call.header("Authorization").strip().split(" ", 3);
        boolean given =
                parts.length >= 2 && parts[0].equalsIgnoreCase("bearer") && !parts[1].isEmpty();
        return given ? tokens.owner(parts[1]) : Verdict.NO_OPINION;
    }
}
