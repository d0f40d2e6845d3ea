package io.berth.serving.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Refusals in the form of the API's `Status` object, as JSON, YAML or protobuf.
public final class StatusReply {
    public static final String JSON = "application/json";
    public static final String YAML = "application/yaml";
    static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

    private StatusReply() {}

    /// For somebody whose credentials are wrong.
    public static Reply unauthorized(Call call) {
        return of(call, new Facts(401, "Unauthorized", "Unauthorized", false));
    }

    /// For somebody who may not do that.
    ///
    /// @param message already safe to show in a browser
    public static Reply forbidden(Call call, String message) {
        return of(call, new Facts(403, "Forbidden", "forbidden: " + message, true)).noSniffing();
    }

    public static Reply notAcceptable(Call call, List<String> accepted) {
        String message =
                "only the following media types are accepted: " + String.join(", ", accepted);
        return of(call, new Facts(406, "NotAcceptable", message, false));
    }

    /// @param detailed whether the object has (empty) details
    record Facts(int code, String reason, String message, boolean detailed) {}

    private static Reply of(Call call, Facts facts) {
        List<String> offered = List.of(JSON, YAML, PROTOBUF);
        String accept = call.header("Accept");
        if (accept.isBlank()) {
            return Reply.of(facts.code, JSON, Trees.json(tree(facts), isPretty(call)));
        }
        Optional<MediaType.Choice> choice =
                MediaType.choose(accept, offered, (_, kind) -> kind.isEmpty());
        String type = choice.map(MediaType.Choice::mediaType).orElse(JSON);
        return switch (type) {
            case YAML -> Reply.of(facts.code, YAML, Trees.yaml(tree(facts)));
            case PROTOBUF -> Reply.of(facts.code, PROTOBUF, StatusProtobuf.encode(facts));
            default -> {
                // Whoever accepts nothing that we have is taken for a person.
                boolean pretty = choice.isEmpty() || choice.get().pretty() || isPretty(call);
                yield Reply.of(facts.code, JSON, Trees.json(tree(facts), pretty));
            }
        };
    }

    private static ObjectNode tree(Facts facts) {
        ObjectNode status = Trees.mapper().createObjectNode();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        status.put("status", "Failure").put("message", facts.message).put("reason", facts.reason);
        if (facts.detailed) {
            status.putObject("details");
        }
        return status.put("code", facts.code);
    }

    /// People get indented text: they say so, or their program is one that people use.
    public static boolean isPretty(Call call) {
        String asked = call.parameter("pretty");
        if (!asked.isEmpty()) {
            return TRUE.contains(asked);
        }
        String agent = call.header("User-Agent");
        return agent.startsWith("curl")
                || agent.startsWith("Wget")
                || agent.startsWith("Mozilla/5.0");
    }
}
