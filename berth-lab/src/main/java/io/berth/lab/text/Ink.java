package io.berth.lab.text;

/// Colours, where the output is a terminal that has them.
public enum Ink {
    PLAIN(false),
    COLOURS(true);

    private final boolean isOn;

    Ink(boolean isOn) {
        this.isOn = isOn;
    }

    String bold(String text) {
        return code("1", text);
    }

    String dim(String text) {
        return code("2", text);
    }

    String red(String text) {
        return code("31", text);
    }

    String green(String text) {
        return code("32", text);
    }

    String yellow(String text) {
        return code("33", text);
    }

    private String code(String code, String text) {
        return isOn && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
