package io.berth.kube.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.kube.protobuf.Envelope;
import io.berth.kube.protobuf.Fields;
import io.berth.kube.protobuf.ProtobufException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The API's `Status` object: why a request failed.
///
/// @param reason a word such as `NotFound` or `Conflict`; empty where unknown
/// @param retryAfterSeconds 0 where the server does not say
public record ApiStatus(
        int code, String reason, String message, List<Cause> causes, int retryAfterSeconds) {
    /// One of several reasons, such as a field that is not valid.
    public record Cause(String reason, String message, String field) {}

    private static final JsonFactory JSON = new JsonFactory();

    public ApiStatus {
        causes = List.copyOf(causes);
    }

    /// Whether the history that a version or a continue token belongs to is gone.
    public boolean isExpired() {
        return code == 410 || reason.equals("Expired") || reason.equals("Gone");
    }

    /// Whether the server has not seen the asked version yet: it was restored or is behind.
    public boolean isTooLargeResourceVersion() {
        return reason.equals("Timeout") || code == 504
                ? causes.stream().anyMatch(c -> c.reason.equals("ResourceVersionTooLarge"))
                : message.contains("Too large resource version");
    }

    /// Reads a body; null where it is no `Status`.
    static @Nullable ApiStatus parse(byte[] body) {
        return Envelope.isMagic(body, 0) ? parseProtobuf(body) : parseJson(body);
    }

    private static @Nullable ApiStatus parseProtobuf(byte[] body) {
        try {
            var fields = new Fields();
            Envelope.open(fields, body, 0, body.length);
            return ProtobufStatus.read(fields);
        } catch (ProtobufException malformed) {
            return null;
        }
    }

    private static @Nullable ApiStatus parseJson(byte[] body) {
        try (var parser = JSON.createParser(body)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? read(parser) : null;
        } catch (IOException notJson) {
            return null;
        }
    }

    /// Reads the object at whose first token the parser stands. Null where its kind is another.
    public static @Nullable ApiStatus read(JsonParser parser) throws IOException {
        String kind = "";
        int code = 0;
        String reason = "";
        String message = "";
        var causes = new ArrayList<Cause>();
        int retryAfter = 0;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "kind" -> kind = text(parser);
                case "code" -> code = parser.getValueAsInt();
                case "reason" -> reason = text(parser);
                case "message" -> message = text(parser);
                case "details" -> retryAfter = readDetails(parser, causes);
                default -> parser.skipChildren();
            }
        }
        return kind.equals("Status")
                ? new ApiStatus(code, reason, message, causes, retryAfter)
                : null;
    }

    private static int readDetails(JsonParser parser, List<Cause> causes) throws IOException {
        int retryAfter = 0;
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return retryAfter;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            var value = parser.nextToken();
            if (field.equals("retryAfterSeconds")) {
                retryAfter = parser.getValueAsInt();
            } else if (field.equals("causes") && value == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    causes.add(readCause(parser));
                }
            } else {
                parser.skipChildren();
            }
        }
        return retryAfter;
    }

    private static Cause readCause(JsonParser parser) throws IOException {
        String reason = "";
        String message = "";
        String path = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "reason" -> reason = text(parser);
                case "message" -> message = text(parser);
                case "field" -> path = text(parser);
                default -> parser.skipChildren();
            }
        }
        return new Cause(reason, message, path);
    }

    private static String text(JsonParser parser) throws IOException {
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
            return "";
        }
        String text = parser.getValueAsString();
        return text == null ? "" : text;
    }
}
