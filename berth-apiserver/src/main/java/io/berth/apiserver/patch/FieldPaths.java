package io.berth.apiserver.patch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Collectors;

/// Paths of field sets as people read them: `.spec.containers[name="c"].image`.
final class FieldPaths {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private FieldPaths() {}

    static String text(List<String> path) {
        return path.stream().map(FieldPaths::element).collect(Collectors.joining());
    }

    private static String element(String element) {
        String rest = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> "." + rest;
            case 'k' -> keys(rest);
            default -> "[=" + rest + "]";
        };
    }

    private static String keys(String json) {
        try {
            return MAPPER.readTree(json).properties().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining(",", "[", "]"));
        } catch (JsonProcessingException e) {
            return "[" + json + "]";
        }
    }
}
