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
    private final ExpiringCache<Question, Answer> cache;

    /// What the API server said.
    record Answer(boolean allowed, boolean denied, String reason) {}

    /// What is remembered with its answer.
    private sealed interface Question {
        User user();

        /// How much somebody who asks can make it take.
        int characters();

        void write(ObjectNode spec);

        /// About a path of this port.
        record OfPath(User user, String verb, String path) implements Question {
            @Override
            public int characters() {
                return path.length() + verb.length();
            }

            @Override
            public void write(ObjectNode spec) {
                spec.putObject("nonResourceAttributes").put("path", path).put("verb", verb);
            }
        }

        /// About objects of the API.
        record OfObjects(User user, ResourceRight right) implements Question {
            @Override
            public int characters() {
                return right.namespace().length();
            }

            @Override
            public void write(ObjectNode spec) {
                ObjectNode attributes = spec.putObject("resourceAttributes");
                attributes.put("verb", right.verb()).put("resource", right.resource());
                putIfSet(attributes, "group", right.group());
                putIfSet(attributes, "subresource", right.subresource());
                putIfSet(attributes, "namespace", right.namespace());
            }
        }
    }

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
        return ask(new Question.OfPath(user, verb, path));
    }

    /// @throws ApiException if there is no answer
    Answer ask(User user, ResourceRight right) {
        return ask(new Question.OfObjects(user, right));
    }

    private static void putIfSet(ObjectNode object, String field, String text) {
        if (!text.isEmpty()) {
            object.put(field, text);
        }
    }

    private Answer ask(Question question) {
        return cache.get(question)
                .orElseGet(() -> {
                    Answer answer = read(reviews.post(review(question)).path("status"));
                    if (question.characters() <= MAX_REMEMBERED_CHARACTERS) {
                        cache.put(
                                question,
                                answer,
                                answer.allowed ? settings.allowedTtl() : settings.deniedTtl());
                    }
                    return answer;
                });
    }

    private static ObjectNode review(Question question) {
        ObjectNode review = Reviews.JSON.createObjectNode();
        review.put("kind", "SubjectAccessReview").put("apiVersion", "authorization.k8s.io/v1");
        ObjectNode spec = review.putObject("spec");
        question.write(spec);
        Users.write(question.user(), spec);
        return review;
    }

    private static Answer read(JsonNode status) {
        return new Answer(
                status.path("allowed").asBoolean(),
                status.path("denied").asBoolean(),
                status.path("reason").asText());
    }
}
