package io.berth.apiserver.http;

/// The client went away in the middle of a request: nobody is left to be told.
final class ClientGone extends RuntimeException {
    ClientGone(Throwable cause) {
        super(cause);
    }
}
