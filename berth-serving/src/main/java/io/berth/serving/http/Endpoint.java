package io.berth.serving.http;

/// Answers calls. Called by many threads at once; may block.
@FunctionalInterface
public interface Endpoint {
    Reply answer(Call call);
}
