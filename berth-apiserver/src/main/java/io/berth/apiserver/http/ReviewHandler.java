package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.security.Authenticator;
import io.berth.apiserver.security.User;
import io.berth.apiserver.status.ApiErrors;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Questions about who somebody is and what they may do. They are created, answered and forgotten.
///
/// Whoever is known may do everything; there are no roles.
final class ReviewHandler {
    private static final Map<String, String> KINDS =
            Map.of(
                    "authentication.k8s.io/v1/tokenreviews", "TokenReview",
                    "authentication.k8s.io/v1/selfsubjectreviews", "SelfSubjectReview",
                    "authorization.k8s.io/v1/subjectaccessreviews", "SubjectAccessReview",
                    "authorization.k8s.io/v1/selfsubjectaccessreviews", "SelfSubjectAccessReview",
                    "authorization.k8s.io/v1/selfsubjectrulesreviews", "SelfSubjectRulesReview",
                    "authorization.k8s.io/v1/localsubjectaccessreviews",
                            "LocalSubjectAccessReview");

    private final Authenticator authenticator;

    ReviewHandler(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /// The kind of review that a path below a group and version creates.
    static Optional<String> kind(String groupVersion, List<String> segments) {
        String resource = segments.isEmpty() ? "" : segments.getLast();
        String kind = KINDS.get(groupVersion + "/" + resource);
        boolean local = "LocalSubjectAccessReview".equals(kind);
        boolean shaped =
                local
                        ? segments.size() == 3 && segments.getFirst().equals("namespaces")
                        : segments.size() == 1;
        return shaped ? Optional.ofNullable(kind) : Optional.empty();
    }

    void handle(Exchange exchange, String groupVersion, String kind) throws IOException {
        if (!exchange.method().equals("POST")) {
            throw ApiErrors.methodNotAllowed();
        }
        ObjectNode review = ObjectReader.read(exchange, groupVersion, kind);
        Json.ensure(review, "metadata");
        ObjectNode status = review.putObject("status");
        switch (kind) {
            case "TokenReview" -> reviewToken(review, status);
            case "SelfSubjectReview" -> describe(exchange.user(), status.putObject("userInfo"));
            case "SelfSubjectRulesReview" -> allRules(status);
            case "SelfSubjectAccessReview" -> status.put("allowed", true);
            default -> reviewAccess(review, status);
        }
        exchange.respond(201, review);
    }

    private void reviewToken(ObjectNode review, ObjectNode status) {
        Optional<User> user = authenticator.byToken(Json.text(review, "spec.token"));
        user.ifPresentOrElse(
                known -> describe(known, status.put("authenticated", true).putObject("user")),
                () -> status.putObject("user"));
    }

    private static void describe(User user, ObjectNode node) {
        node.put("username", user.name());
        user.groups().forEach(node.putArray("groups")::add);
    }

    private static void allRules(ObjectNode status) {
        ObjectNode resources = status.putArray("resourceRules").addObject();
        resources.putArray("verbs").add("*");
        resources.putArray("apiGroups").add("*");
        resources.putArray("resources").add("*");
        ObjectNode others = status.putArray("nonResourceRules").addObject();
        others.putArray("verbs").add("*");
        others.putArray("nonResourceURLs").add("*");
        status.put("incomplete", false);
    }

    private static void reviewAccess(ObjectNode review, ObjectNode status) {
        JsonNode spec = review.path("spec");
        boolean named = !spec.path("user").asText("").isEmpty() || !spec.path("groups").isEmpty();
        if (!named) {
            throw ApiErrors.invalidField(
                    "authorization.k8s.io",
                    "SubjectAccessReview",
                    "",
                    "spec.user",
                    "FieldValueInvalid",
                    "Invalid value: \"\": at least one of user or group must be specified");
        }
        boolean anonymous = spec.path("user").asText("").equals("system:anonymous");
        status.put("allowed", !anonymous);
    }
}
