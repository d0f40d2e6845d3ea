package io.berth.kube.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A socket that takes from the operating system what there is, not only what is asked for.
///
/// TLS asks for the five bytes before a record and then for the record. Here both come with one
/// read, and where a watch has much to tell, several records.
final class ReadAheadSocket extends Socket {
    /// Holds any answer to a write, and some events of a watch.
    private static final int SIZE = 8192;

    private final AtomicReference<@Nullable InputStream> input = new AtomicReference<>();

    @Override
    public InputStream getInputStream() throws IOException {
        var plain = super.getInputStream();
        var known = input.get();
        if (known != null) {
            return known;
        }
        var fresh = new ReadAhead(plain);
        var other = input.compareAndExchange(null, fresh);
        return other == null ? fresh : other;
    }

    /// One thread reads at a time, as with any connection.
    static final class ReadAhead extends InputStream {
        private final InputStream plain;
        private final byte[] bytes = new byte[SIZE];
        private int at;
        private int end;

        ReadAhead(InputStream plain) {
            this.plain = plain;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (at == end) {
                if (length >= SIZE) {
                    return plain.read(into, offset, length);
                }
                int got = plain.read(bytes, 0, SIZE);
                if (got <= 0) {
                    return got;
                }
                at = 0;
                end = got;
            }
            int given = Math.min(length, end - at);
            System.arraycopy(bytes, at, into, offset, given);
            at += given;
            return given;
        }

        @Override
        public int available() throws IOException {
            return end - at + plain.available();
        }

        @Override
        public void close() throws IOException {
            plain.close();
        }
    }
}
