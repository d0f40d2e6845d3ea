package io.berth.apiserver.status;

import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.Status.Cause;
import io.berth.apiserver.status.Status.Details;
import java.util.List;

/// The failures of the API, in the words of kube-apiserver.
public final class ApiErrors {
    /// Why an update with an old resourceVersion is refused.
    public static final String MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try"
                    + " again";

    private ApiErrors() {}

    public static ApiException badRequest(String message) {
        return new ApiException(Status.failure(400, "BadRequest", message));
    }

    /// A failure that kube-apiserver did not expect, passed on in its own words.
    public static ApiException plain(String message) {
        return new ApiException(Status.failure(500, "", message));
    }

    public static ApiException unauthorized() {
        return new ApiException(Status.failure(401, "Unauthorized", "Unauthorized"));
    }

    public static ApiException forbidden(ResourceType type, String name, String why) {
        return forbidden(type.group(), type.plural(), name, why, List.of());
    }

    public static ApiException forbidden(
            String group, String resource, String name, String why, List<Cause> causes) {
        String what = qualified(group, resource);
        String subject = name.isEmpty() ? what : what + " \"" + name + "\"";
        return new ApiException(
                Status.failure(403, "Forbidden", subject + " is forbidden: " + why)
                        .with(new Details(name, group, resource, "", causes, 0)));
    }

    public static ApiException notFound(ResourceType type, String name) {
        return new ApiException(
                Status.failure(
                                404,
                                "NotFound",
                                type.qualifiedName() + " \"" + name + "\" not found")
                        .with(Details.of(type.group(), type.plural(), name)));
    }

    /// No such path.
    public static ApiException noSuchPath() {
        return new ApiException(
                Status.failure(404, "NotFound", "the server could not find the requested resource")
                        .with(Details.of("", "", "")));
    }

    public static ApiException methodNotAllowed() {
        return new ApiException(
                Status.failure(
                                405,
                                "MethodNotAllowed",
                                "the server does not allow this method on the requested resource")
                        .with(Details.of("", "", "")));
    }

    public static ApiException notAcceptable(String accepted) {
        return new ApiException(
                Status.failure(
                                406,
                                "NotAcceptable",
                                "406: Not Acceptable\n\nAvailable representations: " + accepted)
                        .with(Details.of("", "", "")));
    }

    public static ApiException unsupportedPatchType() {
        return new ApiException(
                Status.failure(415, "UnsupportedMediaType", "415: Unsupported Media Type")
                        .with(Details.of("", "", "")));
    }

    public static ApiException unsupportedMediaType(String accepted) {
        return new ApiException(
                Status.failure(
                        415,
                        "UnsupportedMediaType",
                        "the body of the request was in an unknown format - accepted media types"
                                + " include: "
                                + accepted));
    }

    /// The name is taken; `prefix` may say more about the holder.
    public static ApiException alreadyExists(ResourceType type, String name, String prefix) {
        return new ApiException(
                Status.failure(
                                409,
                                "AlreadyExists",
                                prefix + type.qualifiedName() + " \"" + name + "\" already exists")
                        .with(Details.of(type.group(), type.plural(), name)));
    }

    public static ApiException generatedNameExists(ResourceType type, String name) {
        return new ApiException(
                Status.failure(
                                409,
                                "AlreadyExists",
                                type.qualifiedName()
                                        + " \""
                                        + name
                                        + "\" already exists, the server was not able to generate"
                                        + " a unique name for the object")
                        .with(new Details(name, type.group(), type.plural(), "", List.of(), 1)));
    }

    public static ApiException conflict(ResourceType type, String name, String why) {
        return conflict(type.group(), type.plural(), name, why);
    }

    public static ApiException conflict(String group, String resource, String name, String why) {
        return new ApiException(
                Status.failure(
                                409,
                                "Conflict",
                                "Operation cannot be fulfilled on "
                                        + qualified(group, resource)
                                        + " \""
                                        + name
                                        + "\": "
                                        + why)
                        .with(Details.of(group, resource, name)));
    }

    /// Server-side apply met fields of other managers.
    public static ApiException applyConflict(String message, List<Cause> causes) {
        return new ApiException(
                Status.failure(409, "Conflict", message)
                        .with(new Details("", "", "", "", causes, 0)));
    }

    public static ApiException expired(String message) {
        return new ApiException(Status.failure(410, "Expired", message));
    }

    public static ApiException tooLarge(long limitBytes) {
        return new ApiException(
                Status.failure(
                        413,
                        "RequestEntityTooLarge",
                        "Request entity too large: limit is " + limitBytes));
    }

    /// The object breaks rules of its kind; `message` is everything after "is invalid: ".
    public static ApiException invalid(
            String group, String kind, String name, String message, List<Cause> causes) {
        return new ApiException(
                Status.failure(
                                422,
                                "Invalid",
                                qualified(group, kind) + " \"" + name + "\" is invalid: " + message)
                        .with(new Details(name, group, kind, "", causes, 0)));
    }

    /// One field breaks a rule: `reason` is the cause type such as `FieldValueInvalid`.
    public static ApiException invalidField(
            String group, String kind, String name, String field, String reason, String body) {
        return invalid(
                group, kind, name, field + ": " + body, List.of(new Cause(reason, body, field)));
    }

    public static ApiException tooManyRequests(
            String message, int retryAfterSeconds, List<Cause> causes) {
        return new ApiException(
                Status.failure(429, "TooManyRequests", message)
                        .with(new Details("", "", "", "", causes, retryAfterSeconds)));
    }

    public static ApiException internal(String message) {
        return new ApiException(
                Status.failure(500, "InternalError", "Internal error occurred: " + message)
                        .with(new Details("", "", "", "", List.of(new Cause("", message, "")), 0)));
    }

    /// The client asks for a revision that does not exist yet.
    public static ApiException tooLargeResourceVersion(long asked, long current) {
        return new ApiException(
                Status.failure(
                                504,
                                "Timeout",
                                "Timeout: Too large resource version: "
                                        + asked
                                        + ", current: "
                                        + current)
                        .with(
                                new Details(
                                        "",
                                        "",
                                        "",
                                        "",
                                        List.of(
                                                new Cause(
                                                        "ResourceVersionTooLarge",
                                                        "Too large resource version",
                                                        "")),
                                        1)));
    }

    private static String qualified(String group, String resource) {
        return group.isEmpty() ? resource : resource + "." + group;
    }
}
