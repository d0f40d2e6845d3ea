package io.berth.bench;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The options of a benchmark's command line: pairs such as `--rounds 3`.
public final class Options {
    private Options() {}

    /// Hands each value to whoever takes it; false where the usage is asked for.
    ///
    /// @param program for messages
    /// @param takers by option
    public static boolean read(
            String program, List<String> words, Map<String, Consumer<String>> takers) {
        for (int i = 0; i < words.size(); i += 2) {
            String option = words.get(i);
            if (option.equals("--help") || option.equals("-h")) {
                return false;
            }
            var taker = takers.get(option);
            if (taker == null) {
                throw new IllegalArgumentException(
                        "unknown option " + option + "; see " + program + " --help");
            }
            if (i + 1 == words.size()) {
                throw new IllegalArgumentException(option + " wants a value");
            }
            taker.accept(words.get(i + 1));
        }
        return true;
    }

    public static int number(String text) {
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(
                    "a number above zero is wanted, got \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }
}
