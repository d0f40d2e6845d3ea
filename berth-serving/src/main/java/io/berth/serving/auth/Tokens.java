package io.berth.serving.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.kube.client.ApiException;
import io.berth.serving.http.User;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Whose a bearer token is, as the API server says. Answers are believed for a while; calls that
/// ask about the same token at the same time share one question. Thread-safe.
///
/// Tokens are remembered by a keyed hash only, so that a heap dump holds none of them.
final class Tokens {
    private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";
    private static final int CAPACITY = 32 * 1024;
    private static final Duration SHARED_LIMIT = Duration.ofSeconds(30);
    private static final String MAC = "HmacSHA256";
    private static final Authenticator.Verdict INVALID =
            new Authenticator.Verdict.Failed("invalid bearer token");

    private final Reviews reviews;
    private final Duration timeToLive;
    private final AuthObserver observer;
    private final SecretKeySpec hashKey;
    private final ExpiringCache<String, Authenticator.Verdict> cache;
    private final ConcurrentHashMap<String, CompletableFuture<Authenticator.Verdict>> asking =
            new ConcurrentHashMap<>();

    Tokens(
            io.berth.kube.client.ApiClient client,
            Duration timeToLive,
            AuthObserver observer,
            LongSupplier nanos) {
        this.reviews = new Reviews(client, PATH, observer::tokenReviewed);
        this.timeToLive = timeToLive;
        this.observer = observer;
        this.cache = new ExpiringCache<>(CAPACITY, nanos);
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        this.hashKey = new SecretKeySpec(secret, MAC);
    }

    Authenticator.Verdict owner(String token) {
        long begin = System.nanoTime();
        String key = hash(token);
        var remembered = cache.get(key);
        if (remembered.isPresent()) {
            observer.tokenLookedUp(true, since(begin));
            return remembered.get();
        }
        try {
            return shared(key, token);
        } finally {
            observer.tokenLookedUp(false, since(begin));
        }
    }

    private Authenticator.Verdict shared(String key, String token) {
        var question =
                asking.computeIfAbsent(
                        key,
                        _ -> {
                            var fresh = new CompletableFuture<Authenticator.Verdict>();
                            Thread.ofPlatform()
                                    .daemon()
                                    .name("token-review")
                                    .start(() -> ask(key, token, fresh));
                            return fresh;
                        });
        try {
            return question.get(SHARED_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return new Authenticator.Verdict.Failed("context deadline exceeded");
        } catch (ExecutionException mistake) {
            throw new IllegalStateException(mistake.getCause());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return new Authenticator.Verdict.Failed("context canceled");
        }
    }

    private void ask(String key, String token, CompletableFuture<Authenticator.Verdict> answer) {
        try {
            // Between our look at what is remembered and this question another may have ended.
            Authenticator.Verdict verdict = cache.get(key).orElseGet(() -> review(token));
            // Errors are forgotten at once: they say nothing about the token.
            if (verdict instanceof Authenticator.Verdict.Known || verdict.equals(INVALID)) {
                cache.put(key, verdict, timeToLive);
            }
            asking.remove(key);
            answer.complete(verdict);
        } catch (RuntimeException mistake) {
            asking.remove(key);
            answer.completeExceptionally(mistake);
        }
    }

    private Authenticator.Verdict review(String token) {
        ObjectNode review = Reviews.JSON.createObjectNode();
        review.put("kind", "TokenReview").put("apiVersion", "authentication.k8s.io/v1");
        review.putObject("spec").put("token", token);
        JsonNode status;
        try {
            status = reviews.post(review).path("status");
        } catch (ApiException trouble) {
            return new Authenticator.Verdict.Failed(
                    "Failed to make webhook authenticator request: " + trouble.getMessage());
        }
        if (status.path("authenticated").asBoolean()) {
            User user = Users.read(status.path("user"));
            return new Authenticator.Verdict.Known(user);
        }
        String error = status.path("error").asText();
        return error.isEmpty() ? INVALID : new Authenticator.Verdict.Failed(error);
    }

    private String hash(String token) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(hashKey);
            return HexFormat.of().formatHex(mac.doFinal(token.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("no " + MAC, impossible);
        }
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
