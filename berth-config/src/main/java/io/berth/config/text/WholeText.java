package io.berth.config.text;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.Constant;

/// A YAML text that the parser has before it as a whole. Its own reader takes a thousand characters
/// at a time and copies what it has not used yet, which takes a minute for a line of five
/// megabytes.
final class WholeText extends StreamReader {
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final int[] points;
    private int at;
    private int line;
    private int column;
    private int documentStart;

    /// @throws ReaderException where the text has characters that YAML does not allow
    WholeText(String text) {
        super("");
        points = text.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            if (!isPrintable(points[i])) {
                throw new ReaderException(
                        "'reader'", i, points[i], "special characters are not allowed");
            }
        }
    }

    @Override
    public Mark getMark() {
        return new Mark("'reader'", at, line, column, points, at);
    }

    @Override
    public void forward() {
        forward(1);
    }

    @Override
    public void forward(int count) {
        for (int end = Math.min(at + count, points.length); at < end; ) {
            int point = points[at++];
            if (Constant.LINEBR.has(point) || point == '\r' && peek() != '\n') {
                line++;
                column = 0;
            } else if (point != BYTE_ORDER_MARK) {
                column++;
            }
        }
    }

    @Override
    public int peek() {
        return peek(0);
    }

    @Override
    public int peek(int ahead) {
        return at + ahead < points.length ? points[at + ahead] : 0;
    }

    @Override
    public String prefix(int length) {
        int end = Math.min(at + length, points.length);
        return new String(points, at, Math.max(0, end - at));
    }

    /// Only for text without line breaks, as the parser calls it.
    @Override
    public String prefixForward(int length) {
        String text = prefix(length);
        at += length;
        column += length;
        return text;
    }

    @Override
    public int getColumn() {
        return column;
    }

    @Override
    public int getIndex() {
        return at;
    }

    @Override
    public int getLine() {
        return line;
    }

    @Override
    public int getDocumentIndex() {
        return at - documentStart;
    }

    @Override
    public void resetDocumentIndex() {
        documentStart = at;
    }
}
