package io.berth.kube.client;

import java.io.IOException;
import java.time.Duration;
import org.apache.hc.core5.concurrent.Cancellable;

/// Cancels a request that takes too long, whatever it is waiting for: a connection, the handshake,
/// the answer or its last byte.
final class Deadline implements AutoCloseable {
    private static final Alarms alarms = new Alarms("kube-deadlines");

    private final Cancellable request;
    private final Alarms.Alarm alarm;
    private volatile boolean passed;

    private Deadline(Cancellable request, Duration limit) {
        this.request = request;
        this.alarm = alarms.set(limit, this::pass);
    }

    static Deadline of(Cancellable request, Duration limit) {
        return new Deadline(request, limit);
    }

    private void pass() {
        passed = true;
        request.cancel();
    }

    interface Action<T> {
        T run() throws IOException;
    }

    /// Runs what the deadline is for.
    ///
    /// @throws LateException where it failed because of the deadline
    <T> T watch(Action<T> action) throws IOException {
        try {
            return action.run();
        } catch (IOException | RuntimeException failure) {
            if (passed) {
                throw new LateException(failure);
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        alarm.close();
    }

    /// No answer, or not all of it, within the limit.
    static final class LateException extends IOException {
        private static final long serialVersionUID = 1L;

        LateException(Throwable cause) {
            super("no complete answer", cause);
        }
    }
}
