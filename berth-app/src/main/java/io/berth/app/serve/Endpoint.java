package io.berth.app.serve;

/// Answers calls. Called by many threads at once; may block.
@FunctionalInterface
public interface Endpoint {
    Reply answer(Call call);
}
