package io.berth.serving.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ApiResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Puts questions to the API server: posts a review and reads the answer, again if the trouble
/// looks passing. Thread-safe.
final class Reviews {
    static final JsonMapper JSON = JsonMapper.builder().build();

    private static final int TRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final double GROWTH = 1.5;
    private static final double JITTER = 0.2;

    /// For all tries together.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int INTERNAL_ERROR = 500;
    private static final int GATEWAY_TIMEOUT = 504;

    private final ApiClient client;
    private final String path;
    private final Told told;

    /// Is told about each try.
    interface Told {
        void asked(String code, Duration took);
    }

    Reviews(ApiClient client, String path, Told told) {
        this.client = client;
        this.path = path;
        this.told = told;
    }

    /// @throws ApiException if there is no answer
    JsonNode post(JsonNode review) {
        long begin = System.nanoTime();
        double pauseNanos = FIRST_PAUSE.toNanos();
        for (int attempt = 1; ; attempt++) {
            Duration left = LIMIT.minusNanos(System.nanoTime() - begin);
            try {
                return once(review, left);
            } catch (ApiException trouble) {
                double jittered =
                        pauseNanos * (1 + JITTER * RandomGenerator.getDefault().nextDouble());
                boolean late = left.toNanos() < jittered;
                if (attempt >= TRIES || late || !isPassing(trouble)) {
                    throw trouble;
                }
                pause(jittered, trouble);
                pauseNanos *= GROWTH;
            }
        }
    }

    private JsonNode once(JsonNode review, Duration limit) {
        long begin = System.nanoTime();
        try {
            byte[] body = JSON.writeValueAsBytes(review);
            ApiResponse answer = client.send(ApiRequest.create(path, body).within(limit));
            told.asked(Integer.toString(answer.code()), since(begin));
            return JSON.readTree(answer.body());
        } catch (ApiException trouble) {
            told.asked(
                    trouble.code() == 0 ? "<error>" : Integer.toString(trouble.code()),
                    since(begin));
            throw trouble;
        } catch (IOException unreadable) {
            throw new ApiException(
                    ApiException.Failure.BROKEN,
                    "the answer to a review cannot be read: " + unreadable.getMessage(),
                    unreadable);
        }
    }

    private static boolean isPassing(ApiException trouble) {
        return switch (trouble.failure()) {
            case BROKEN -> true;
            case ANSWERED ->
                    trouble.code() == INTERNAL_ERROR
                            || trouble.code() == GATEWAY_TIMEOUT
                            || trouble.code() == TOO_MANY_REQUESTS
                            || trouble.status().retryAfterSeconds() > 0;
            case UNREACHABLE, TIMEOUT, INTERRUPTED, FENCED, WITHDRAWN -> false;
        };
    }

    private static void pause(double nanos, ApiException trouble) {
        try {
            Thread.sleep(Duration.ofNanos((long) nanos));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw trouble;
        }
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
