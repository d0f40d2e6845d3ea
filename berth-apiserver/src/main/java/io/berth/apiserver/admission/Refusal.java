package io.berth.apiserver.admission;

import io.berth.apiserver.resource.ResourceType;
import java.util.List;

/// An object that is not admitted, with all that a `Status` needs.
public final class Refusal extends RuntimeException {
    private final int status;
    private final String reason;
    private final List<FieldError> errors;

    private Refusal(int status, String reason, String message, List<FieldError> errors) {
        super(message, null, false, false);
        this.status = status;
        this.reason = reason;
        this.errors = List.copyOf(errors);
    }

    /// The body cannot be read as its kind: 400.
    public static Refusal badRequest(String message) {
        return new Refusal(400, "BadRequest", message, List.of());
    }

    /// An admission rule says no: 403.
    public static Refusal forbidden(ResourceType type, String name, String message) {
        return new Refusal(
                403,
                "Forbidden",
                "%s \"%s\" is forbidden: %s".formatted(type.qualifiedName(), name, message),
                List.of());
    }

    /// The object breaks the rules of its kind: 422.
    public static Refusal invalid(ResourceType type, String name, List<FieldError> errors) {
        String kind = type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group();
        var texts = errors.stream().map(FieldError::toString).distinct().toList();
        String all = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        return new Refusal(
                422, "Invalid", "%s \"%s\" is invalid: %s".formatted(kind, name, all), errors);
    }

    public int status() {
        return status;
    }

    /// The `reason` of the `Status`.
    public String reason() {
        return reason;
    }

    /// The message, never null.
    public String text() {
        return String.valueOf(getMessage());
    }

    /// The causes; empty unless the object is invalid.
    public List<FieldError> errors() {
        return errors;
    }
}
