package io.berth.up;

import java.util.ArrayList;
import java.util.List;

/// One line of the screen: pieces of text, each in a style.
record Line(List<Piece> pieces) {
    static final Line EMPTY = new Line(List.of());

    private static final String RESET = "\u001b[0m";

    enum Style {
        PLAIN(""),
        BOLD("\u001b[1m"),
        DIM("\u001b[2m"),
        GREEN("\u001b[32m"),
        YELLOW("\u001b[33m"),
        RED("\u001b[31m");

        private final String code;

        Style(String code) {
            this.code = code;
        }
    }

    record Piece(Style style, String text) {}

    Line {
        pieces = List.copyOf(pieces);
    }

    static Line of(String text) {
        return EMPTY.plus(text);
    }

    static Line of(Style style, String text) {
        return EMPTY.plus(style, text);
    }

    Line plus(String text) {
        return plus(Style.PLAIN, text);
    }

    Line plus(Style style, String text) {
        var longer = new ArrayList<>(pieces);
        longer.add(new Piece(style, text));
        return new Line(longer);
    }

    int width() {
        return pieces.stream().mapToInt(piece -> width(piece.text)).sum();
    }

    /// The line cut to a width; a mark at its end tells that something is missing.
    Line fit(int width, String mark) {
        if (width() <= width) {
            return this;
        }
        var kept = new ArrayList<Piece>();
        int left = Math.max(0, width - width(mark));
        for (Piece piece : pieces) {
            int take = Math.min(left, width(piece.text));
            kept.add(new Piece(piece.style, piece.text.substring(0, offset(piece.text, take))));
            left -= take;
        }
        if (width >= width(mark)) {
            kept.add(new Piece(Style.DIM, mark));
        }
        return new Line(kept);
    }

    String plain() {
        var out = new StringBuilder();
        pieces.forEach(piece -> out.append(piece.text));
        return out.toString();
    }

    /// The line with the codes that make a terminal show the styles.
    String coloured() {
        var out = new StringBuilder();
        for (Piece piece : pieces) {
            if (piece.style == Style.PLAIN || piece.text.isEmpty()) {
                out.append(piece.text);
            } else {
                out.append(piece.style.code).append(piece.text).append(RESET);
            }
        }
        return out.toString();
    }

    /// Names in Kubernetes are plain letters, so one code point takes one column.
    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    private static int offset(String text, int columns) {
        return text.offsetByCodePoints(0, columns);
    }
}
