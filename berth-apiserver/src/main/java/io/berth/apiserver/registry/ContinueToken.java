package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.status.ApiErrors;
import java.io.IOException;
import java.util.Base64;

/// Where the next page of a list starts.
///
/// @param revision the moment that all pages show, or -1 to go on with the present
/// @param after the path of the last object seen
record ContinueToken(long revision, String after) {
    private static final String VERSION = "meta.k8s.io/v1";

    String encode() {
        byte[] json =
                Json.bytes(
                        Json.object()
                                .put("v", VERSION)
                                .put("rv", revision)
                                .put("start", after + "\0"));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    static ContinueToken decode(String token) {
        JsonNode tree;
        try {
            tree = Json.MAPPER.readTree(Base64.getUrlDecoder().decode(token));
        } catch (IllegalArgumentException | IOException e) {
            throw invalid(": not readable");
        }
        if (!tree.path("v").asText("").equals(VERSION)) {
            throw invalid(
                    ": server does not recognize this encoded version " + tree.path("v").asText());
        }
        long revision = tree.path("rv").asLong(0);
        if (revision == 0) {
            throw invalid(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
        }
        String start = tree.path("start").asText("");
        if (start.isEmpty()) {
            throw invalid(": encoded start key empty (version meta.k8s.io/v1)");
        }
        return new ContinueToken(
                revision, start.endsWith("\0") ? start.substring(0, start.length() - 1) : start);
    }

    private static RuntimeException invalid(String why) {
        return ApiErrors.badRequest("invalid continue token: continue key is not valid" + why);
    }
}
