package io.berth.engine.intake;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;

/// News for the engine thread.
public sealed interface Message {
    /// An object exists in this form.
    record Seen(ClusterObject object) implements Message {}

    /// An object is gone.
    record Gone(Kind kind, String namespace, String name) implements Message {}

    /// The first complete list of a kind has been delivered.
    record Synced(Kind kind) implements Message {}

    /// Something to do on the engine thread: the outcome of work done elsewhere, or a question.
    record Call(Runnable body) implements Message {}
}
