package io.berth.ui;

import io.berth.lab.explain.ExplainException;
import io.berth.serving.http.Reply;
import java.util.function.Supplier;

/// Turns what can go wrong with a question into replies.
final class Answers {
    private Answers() {}

    static Reply of(Supplier<Reply> question) {
        try {
            return question.get();
        } catch (Studies.BusyException busy) {
            return Reply.error(429, "too many questions at once; try again")
                    .with("Retry-After", "1");
        } catch (ExplainException failed) {
            return Reply.error(503, failed.sentence()).asExpected();
        }
    }
}
