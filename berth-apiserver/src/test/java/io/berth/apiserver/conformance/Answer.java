package io.berth.apiserver.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/// A response.
///
/// @param body a missing node if it is no JSON
public record Answer(int code, JsonNode body, String text, List<String> warnings) {
    public Answer {
        warnings = List.copyOf(warnings);
    }

    public String message() {
        return body.path("message").asText();
    }

    public String reason() {
        return body.path("reason").asText();
    }

    /// The text at a JSON pointer such as `/metadata/name`.
    public String at(String pointer) {
        return body.at(pointer).asText();
    }

    public String name() {
        return at("/metadata/name");
    }

    public String uid() {
        return at("/metadata/uid");
    }

    public String version() {
        return at("/metadata/resourceVersion");
    }
}
