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
        ObjectNode review = Reviews.JSON.createObjectNode();
        review.put("kind", "SubjectAccessReview").put("apiVersion", "authorization.k8s.io/v1");
        ObjectNode spec = review.putObject("spec");
        spec.putObject("nonResourceAttributes").put("path", path).put("verb", verb);
        Users.write(user, spec);
        String key = spec.toString();
        return cache.get(key)
                .orElseGet(() -> {
                    Answer answer = read(reviews.post(review).path("status"));
                    if (path.length() + verb.length() <= MAX_REMEMBERED_CHARACTERS) {
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
