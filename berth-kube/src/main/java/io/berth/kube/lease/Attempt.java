package io.berth.kube.lease;

/// How a try to take or renew the lease ended.
sealed interface Attempt {
    Attempt WON = new Won();
    Attempt FAILED = new Failed();

    /// The lease is ours, from the moment on that the request was sent.
    record Won() implements Attempt {}

    /// Somebody else has it, or it is no longer ours to renew.
    record Held(String by) implements Attempt {}

    /// It could not be read or written.
    record Failed() implements Attempt {}
}
