package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.apiserver.admission.FieldError.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Collects the field errors of one object, in upstream's wording.
final class Problems {
    private final List<FieldError> errors = new ArrayList<>();

    List<FieldError> list() {
        return List.copyOf(errors);
    }

    void required(String field, String detail) {
        add(field, Reason.REQUIRED, "Required value" + suffix(detail));
    }

    void invalid(String field, String value, String detail) {
        invalid(field, TextNode.valueOf(value), detail);
    }

    void invalid(String field, JsonNode value, String detail) {
        add(
                field,
                Reason.INVALID,
                "Invalid value: " + (value.isMissingNode() ? "null" : value) + suffix(detail));
    }

    /// One error for each message.
    void invalid(String field, String value, List<String> details) {
        details.forEach(detail -> invalid(field, value, detail));
    }

    void notSupported(String field, String value, String... supported) {
        add(
                field,
                Reason.NOT_SUPPORTED,
                "Unsupported value: "
                        + TextNode.valueOf(value)
                        + ": supported values: "
                        + List.of(supported).stream()
                                .map(word -> '"' + word + '"')
                                .collect(Collectors.joining(", ")));
    }

    void duplicate(String field, JsonNode value) {
        duplicate(field, value, "");
    }

    void duplicate(String field, JsonNode value, String detail) {
        add(field, Reason.DUPLICATE, "Duplicate value: " + value + suffix(detail));
    }

    void forbidden(String field, String detail) {
        add(field, Reason.FORBIDDEN, "Forbidden" + suffix(detail));
    }

    void tooLong(String field, int maxBytes) {
        add(field, Reason.TOO_LONG, "Too long: may not be more than " + maxBytes + " bytes");
    }

    void tooMany(String field, int count, int most) {
        add(
                field,
                Reason.TOO_MANY,
                "Too many: %d: must have at most %d %s"
                        .formatted(count, most, most == 1 ? "item" : "items"));
    }

    private void add(String field, Reason reason, String message) {
        errors.add(new FieldError(field, reason, message));
    }

    private static String suffix(String detail) {
        return detail.isEmpty() ? "" : ": " + detail;
    }
}
