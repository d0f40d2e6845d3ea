package io.berth.kube.lease;

/// How a try to take or renew the lease ended.
sealed interface Attempt {
    Attempt WON = new Won();
    Attempt FAILED = new Failed();
    Attempt GONE = new Gone();

    /// The lease is ours, from the moment on that the request was sent.
    record Won() implements Attempt {}

    /// Somebody else has it, or it is no longer ours to renew.
    record Held(String by) implements Attempt {}

    /// It is not there, and we do not know what became of it since our time ran out.
    record Gone() implements Attempt {}

    /// It could not be read or written.
    record Failed() implements Attempt {}
}
