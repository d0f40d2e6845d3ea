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
    private static final long NEVER = Long.MIN_VALUE;

    private final @Nullable String contentType;
    private final Wire carrier;
    private final Runnable onClose;
    private volatile long readingSince = NOT_READING;
    private volatile long silenceLimitNanos = Long.MAX_VALUE;
    private volatile boolean cut;
    private volatile @Nullable Probe probe;

    /// When the last probe began. Touched by the guard's thread only.
    private long probedAt = System.nanoTime();

    /// When a probe last found something.
    private volatile long foundAt = NEVER;

    /// Learns on another way what the stream should have told.
    public interface Probe {
        /// Whether there is anything that the stream has not told yet. May block.
        boolean findsNews();
    }

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

    /// From now on, a long silence has this asked whether there was something to tell. A stream
    /// that does not tell it soon ends.
    public void probeWhenSilent(Probe asked) {
        probe = asked;
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

    /// Whether it is time for a probe, which is then taken to begin. Guard's thread only.
    boolean isToBeProbed(long afterNanos) {
        long now = System.nanoTime();
        boolean due = probe != null && silentNanos() > afterNanos && now - probedAt > afterNanos;
        if (due) {
            probedAt = now;
        }
        return due;
    }

    void probe() {
        var asked = probe;
        if (asked != null && asked.findsNews()) {
            foundAt = System.nanoTime();
        }
    }

    /// Whether a probe found something a while ago and the stream has been silent ever since.
    boolean isOverdue(Duration grace) {
        long found = foundAt;
        if (found == NEVER) {
            return false;
        }
        long since = System.nanoTime() - found;
        return since > grace.toNanos() && silentNanos() > since;
    }

    void cut() {
        cut = true;
        close();
    }

    Wire carrier() {
        return carrier;
    }
}
