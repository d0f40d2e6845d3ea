package io.berth.apiserver.http;

import java.time.Duration;

/// What stands between a request and its answer: for seeing how clients bear a server that is slow
/// and busy. Asked on the thread of each request as it arrives.
public interface Hindrance {
    Hindrance NONE = _ -> Fate.SERVED;

    Fate of(Call call);

    /// Who asks for what.
    record Call(String verb, String path, String userAgent) {}

    /// What becomes of a request.
    ///
    /// @param delay before anything else
    /// @param retryAfterSeconds above 0: refused as one too many, to be asked again after so long
    /// @param isAnswerLost whether the connection is cut when it has been carried out
    record Fate(Duration delay, int retryAfterSeconds, boolean isAnswerLost) {
        public static final Fate SERVED = after(Duration.ZERO);

        public static Fate after(Duration delay) {
            return new Fate(delay, 0, false);
        }

        public Fate withLostAnswer() {
            return new Fate(delay, retryAfterSeconds, true);
        }

        public static Fate oneTooMany(int retryAfterSeconds) {
            return new Fate(Duration.ZERO, retryAfterSeconds, false);
        }
    }
}
