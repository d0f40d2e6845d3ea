package io.berth.kube.client;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// The body of a write, which asks the gate once more when its bytes are wanted.
///
/// Between the decision to write and that moment a connection may have to be opened, and the
/// process may have been stopped for a while. A request whose body breaks off is not carried out.
final class GatedBody implements HttpRequest.BodyPublisher {
    private final HttpRequest.BodyPublisher body;
    private final WriteGate gate;

    GatedBody(byte[] content, WriteGate gate) {
        this.body =
                content.length == 0
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofByteArray(content);
        this.gate = gate;
    }

    /// The time that a write may take, now.
    static Duration limit(WriteGate gate, Duration limit) throws FencedException {
        long nanos = gate.writeNanos();
        if (nanos <= 0) {
            throw new FencedException();
        }
        return nanos < limit.toNanos() ? Duration.ofNanos(nanos) : limit;
    }

    static boolean isFenced(@Nullable Throwable trouble) {
        for (var cause = trouble; cause != null; cause = cause.getCause()) {
            if (cause instanceof FencedException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        body.subscribe(new Gated(subscriber, gate));
    }

    private static final class Gated implements Flow.Subscriber<ByteBuffer> {
        private final Flow.Subscriber<? super ByteBuffer> out;
        private final WriteGate gate;
        private boolean fenced;

        Gated(Flow.Subscriber<? super ByteBuffer> out, WriteGate gate) {
            this.out = out;
            this.gate = gate;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            out.onSubscribe(subscription);
        }

        @Override
        public void onNext(ByteBuffer bytes) {
            if (!fenced && gate.writeNanos() > 0) {
                out.onNext(bytes);
            } else if (!fenced) {
                fenced = true;
                out.onError(new FencedException());
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (!fenced) {
                out.onError(failure);
            }
        }

        @Override
        public void onComplete() {
            if (!fenced) {
                out.onComplete();
            }
        }
    }

    /// The gate is closed.
    static final class FencedException extends IOException {
        private static final long serialVersionUID = 1L;

        FencedException() {
            super(WriteGate.CLOSED);
        }
    }
}
