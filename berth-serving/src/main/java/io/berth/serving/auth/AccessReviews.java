package io.berth.serving.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.serving.http.User;
import java.util.function.LongSupplier;

/// Asks the API server whether somebody may do something. Answers are believed for a while.
/// Thread-safe.
final class AccessReviews {
    private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    private static final int CAPACITY = 8192;

    /// Whoever asks for longer paths could fill the memory with them.
    private static final int MAX_REMEMBERED_CHARACTERS = 10_000;

    private final Reviews reviews;
    private final AuthorizationSettings settings;
    private final ExpiringCache<String, Answer> cache;

    /// What the API server said.
    record Answer(boolean allowed, boolean denied, String reason) {}

    AccessReviews(
            ApiClient client,
            AuthorizationSettings settings,
            AuthObserver observer,
            LongSupplier nanos) {
        this.reviews = new Reviews(client, PATH, observer::accessReviewed);
        this.settings = settings;
        this.cache = new ExpiringCache<>(CAPACITY, nanos);
    }

    /// @throws ApiException if there is no answer
    Answer ask(User user, String verb, String path) {
        ObjectNode review = review();
        ObjectNode spec = review.putObject("spec");
        spec.putObject("nonResourceAttributes").put("path", path).put("verb", verb);
        return ask(user, review, spec, path.length() + verb.length());
    }

    /// @throws ApiException if there is no answer
    Answer ask(User user, ResourceRight right) {
        ObjectNode review = review();
        ObjectNode spec = review.putObject("spec");
        ObjectNode attributes = spec.putObject("resourceAttributes");
        attributes.put("verb", right.verb()).put("resource", right.resource());
        putIfSet(attributes, "group", right.group());
        putIfSet(attributes, "subresource", right.subresource());
        putIfSet(attributes, "namespace", right.namespace());
        return ask(user, review, spec, right.namespace().length());
    }

    private static ObjectNode review() {
        ObjectNode review = Reviews.JSON.createObjectNode();
        return review.put("kind", "SubjectAccessReview")
                .put("apiVersion", "authorization.k8s.io/v1");
    }

    private static void putIfSet(ObjectNode object, String field, String text) {
        if (!text.isEmpty()) {
            object.put(field, text);
        }
    }

    private Answer ask(User user, ObjectNode review, ObjectNode spec, int characters) {
        Users.write(user, spec);
        String key = spec.toString();
        return cache.get(key)
                .orElseGet(() -> {
                    Answer answer = read(reviews.post(review).path("status"));
                    if (characters <= MAX_REMEMBERED_CHARACTERS) {
                        cache.put(
                                key,
                                answer,
                                answer.allowed ? settings.allowedTtl() : settings.deniedTtl());
                    }
                    return answer;
                });
    }

    private static Answer read(JsonNode status) {
        return new Answer(
                status.path("allowed").asBoolean(),
                status.path("denied").asBoolean(),
                status.path("reason").asText());
    }
}
