package io.berth.config.text;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Passes text on and stops where it is none: at a zero, at bytes that are not UTF-8, and where a
/// line is longer than whoever reads it can bear.
final class PlainText extends FilterInputStream {
    private final int longestLine;
    private long line = 1;
    private int lineBytes;
    private int bytesToFollow;

    /// It is no text, from some line on.
    static final class NoTextException extends IOException {
        private static final long serialVersionUID = 1L;

        NoTextException(String sentence) {
            super(sentence);
        }
    }

    /// @param longestLine in bytes
    PlainText(InputStream in, int longestLine) {
        super(in);
        this.longestLine = longestLine;
    }

    @Override
    public int read() throws IOException {
        int one = super.read();
        if (one >= 0) {
            take(one);
        }
        return one;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
        int count = super.read(bytes, from, most);
        for (int i = from; i < from + count; i++) {
            take(bytes[i]);
        }
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void take(int signed) throws NoTextException {
        if (signed <= 0 || signed >= 0x80 || bytesToFollow > 0) {
            other(signed & 0xff);
        }
        if (signed == '\n') {
            line++;
            lineBytes = 0;
        } else if (++lineBytes > longestLine) {
            throw new NoTextException(
                    "line %d: longer than %d MiB, which no line of YAML may be"
                            .formatted(line, longestLine >> 20));
        }
    }

    private void other(int one) throws NoTextException {
        if (one == 0) {
            throw new NoTextException("line %d: a zero byte, which no text has".formatted(line));
        }
        boolean follows = one >= 0x80 && one < 0xc0;
        if (follows != bytesToFollow > 0 || one >= 0xf8) {
            throw new NoTextException("line %d: not UTF-8".formatted(line));
        }
        if (follows) {
            bytesToFollow--;
        } else {
            bytesToFollow = one >= 0xf0 ? 3 : one >= 0xe0 ? 2 : 1;
        }
    }
}
