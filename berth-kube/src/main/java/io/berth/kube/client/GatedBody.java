package io.berth.kube.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.jspecify.annotations.Nullable;

/// The body of a write, in pieces that follow one another, which asks the gate once more when its
/// bytes are wanted.
///
/// Between the decision to write and that moment a connection may have to be opened, and the
/// process may have been stopped for a while. A request whose body breaks off is not carried out.
final class GatedBody extends AbstractHttpEntity {
    private final List<byte[]> pieces;
    private final WriteGate gate;

    GatedBody(List<byte[]> pieces, @Nullable String type, WriteGate gate) {
        super(type, null);
        this.pieces = pieces;
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

    @Override
    public void writeTo(OutputStream out) throws IOException {
        if (gate.writeNanos() <= 0) {
            throw new FencedException();
        }
        for (var piece : pieces) {
            out.write(piece);
        }
    }

    @Override
    public long getContentLength() {
        long length = 0;
        for (var piece : pieces) {
            length += piece.length;
        }
        return length;
    }

    @Override
    public InputStream getContent() {
        return new SequenceInputStream(
                Collections.enumeration(pieces.stream().map(ByteArrayInputStream::new).toList()));
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public boolean isRepeatable() {
        return true;
    }

    @Override
    public void close() {}

    /// The gate is closed.
    static final class FencedException extends IOException {
        private static final long serialVersionUID = 1L;

        FencedException() {
            super(WriteGate.CLOSED);
        }
    }
}
