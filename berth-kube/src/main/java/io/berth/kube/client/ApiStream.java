package io.berth.kube.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The body of an answer while it arrives: a watch, or a long list.
///
/// It knows for how long its reader has been waiting for bytes, so that silence can be told from a
/// reader that is busy elsewhere. One thread reads; any thread may [#close].
public final class ApiStream extends FilterInputStream {
    private static final long NOT_READING = Long.MIN_VALUE;

    private final @Nullable String contentType;
    private final Wire carrier;
    private final Runnable onClose;
    private volatile long readingSince = NOT_READING;
    private volatile long silenceLimitNanos = Long.MAX_VALUE;
    private volatile boolean cut;

    ApiStream(InputStream body, @Nullable String contentType, Wire carrier, Runnable onClose) {
        super(body);
        this.contentType = contentType;
        this.carrier = carrier;
        this.onClose = onClose;
    }

    /// What the server says the body is; null where it says nothing.
    public @Nullable String contentType() {
        return contentType;
    }

    /// From now on, silence beyond this limit ends the stream.
    public void limitSilence(Duration limit) {
        silenceLimitNanos = limit.toNanos();
    }

    /// Whether the stream was ended because it was silent for too long.
    public boolean wasCut() {
        return cut;
    }

    @Override
    public int read() throws IOException {
        readingSince = System.nanoTime();
        try {
            return super.read();
        } finally {
            readingSince = NOT_READING;
        }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        readingSince = System.nanoTime();
        try {
            return super.read(buffer, offset, length);
        } finally {
            readingSince = NOT_READING;
        }
    }

    @Override
    public void close() {
        // Cancels the request, since closing alone would read what is left of an endless body.
        onClose.run();
        try {
            super.close();
        } catch (IOException alreadyBroken) {
            // It is closed all the same.
        }
    }

    /// Nanoseconds that the reader has been waiting for bytes.
    long silentNanos() {
        long since = readingSince;
        return since == NOT_READING ? 0 : System.nanoTime() - since;
    }

    boolean isSilentForTooLong() {
        return silentNanos() > silenceLimitNanos;
    }

    void cut() {
        cut = true;
        close();
    }

    Wire carrier() {
        return carrier;
    }
}
