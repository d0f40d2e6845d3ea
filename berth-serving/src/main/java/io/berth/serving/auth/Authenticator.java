package io.berth.serving.auth;

import io.berth.serving.http.Call;
import io.berth.serving.http.User;

/// One way to find out who calls. May block; called by many threads.
interface Authenticator {
    Verdict authenticate(Call call);

    /// What an authenticator makes of a call.
    sealed interface Verdict {
        Verdict NO_OPINION = new NoOpinion();

        record Known(User user) implements Verdict {}

        /// The call brings nothing that this authenticator understands.
        record NoOpinion() implements Verdict {}

        /// The call brings something, but it is wrong or cannot be judged now.
        record Failed(String reason) implements Verdict {}
    }
}
