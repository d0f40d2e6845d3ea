package io.berth.kube.codec.wire;

import io.berth.kube.protobuf.ProtobufException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// The bytes of one object out of a stream, in a place that the next one uses again.
public final class ProtobufBuffer {
    /// Far beyond what the API takes for an object, and soon enough to notice another stream.
    private static final int MOST = 64 << 20;

    private byte[] bytes = new byte[4096];

    public byte[] bytes() {
        return bytes;
    }

    public void fill(InputStream in, long length) throws IOException {
        if (length < 0 || length > MOST) {
            throw new ProtobufException("an object of " + length + " bytes");
        }
        if (length > bytes.length) {
            bytes = new byte[(int) Math.min(MOST, 2 * length)];
        }
        if (in.readNBytes(bytes, 0, (int) length) < length) {
            throw new EOFException("end of input within an object");
        }
    }
}
