package io.berth.app.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Information to one stream, held back for a while if there is a buffer; warnings and errors to
/// another one, at once.
///
/// Used by every thread; the sink itself guards the buffer.
final class SplitSink implements LogSink {
    private final OutputStream information;
    private final OutputStream errors;
    private final byte[] buffer;
    private int filled;

    SplitSink(OutputStream information, OutputStream errors, int bufferBytes) {
        this.information = information;
        this.errors = errors;
        this.buffer = new byte[bufferBytes];
    }

    @Override
    public synchronized void write(boolean isInformation, String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        if (!isInformation) {
            write(errors, bytes, bytes.length);
            return;
        }
        if (filled + bytes.length > buffer.length) {
            flush();
        }
        if (bytes.length > buffer.length) {
            write(information, bytes, bytes.length);
        } else {
            System.arraycopy(bytes, 0, buffer, filled, bytes.length);
            filled += bytes.length;
        }
    }

    @Override
    public synchronized void flush() {
        write(information, buffer, filled);
        filled = 0;
    }

    private static void write(OutputStream stream, byte[] bytes, int length) {
        try {
            stream.write(bytes, 0, length);
            stream.flush();
        } catch (IOException closed) {
            // Nobody reads the log any more, and there is nowhere else to say so.
        }
    }
}
