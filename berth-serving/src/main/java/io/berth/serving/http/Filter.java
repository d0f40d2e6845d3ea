package io.berth.serving.http;

/// Stands before an endpoint: looks at calls before it and at replies after it.
@FunctionalInterface
public interface Filter {
    Reply answer(Call call, Endpoint inner);

    default Endpoint around(Endpoint inner) {
        return call -> answer(call, inner);
    }
}
