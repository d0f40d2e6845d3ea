package io.berth.serving.auth;

import io.berth.serving.http.User;
import java.time.Duration;

/// Is told what authentication and authorization do, for their metrics. All methods are called by
/// many threads.
public interface AuthObserver {
    AuthObserver NONE = new AuthObserver() {};

    /// How a question came out.
    enum Outcome {
        SUCCESS,
        FAILURE,
        ERROR,
        ALLOWED,
        DENIED,
        NO_OPINION
    }

    /// Somebody was recognised.
    default void recognised(User user) {}

    /// @param outcome success, failure or error
    default void authenticated(Outcome outcome, Duration took) {}

    /// @param outcome allowed, denied, no opinion or error
    default void authorized(Outcome outcome, Duration took) {}

    /// The API server was asked about a token.
    ///
    /// @param code the HTTP status, or `<error>`
    default void tokenReviewed(String code, Duration took) {}

    /// The API server was asked about a right.
    ///
    /// @param code the HTTP status, or `<error>`
    default void accessReviewed(String code, Duration took) {}

    /// A token was looked up in the cache.
    default void tokenLookedUp(boolean hit, Duration took) {}

    /// A client certificate was shown that lasts for so long still.
    default void certificateShown(Duration remaining) {}
}
