package io.berth.app.complete;

import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Answers the hidden command `__complete`, by which the scripts that kube-scheduler makes ask for
/// words (P-1): one candidate a line, and how to go on.
public final class Candidates {
    private static final String DEFAULT = ":0\n";
    private static final String NO_FILES = ":4\n";
    private static final String FILES_BY_ENDING = ":8\n";

    private final FlagSet flags;
    private final List<String> commands;

    /// @param commands the words that may come first
    public Candidates(FlagSet flags, List<String> commands) {
        this.flags = flags;
        this.commands = List.copyOf(commands);
    }

    /// @param words of a command line; the last one, perhaps empty, is to be completed
    /// @param described whether a candidate is followed by its explanation
    public String after(List<String> words, boolean described) {
        String last = words.isEmpty() ? "" : words.getLast();
        if (last.startsWith("-")) {
            int equals = last.indexOf('=');
            return equals < 0 ? names(last, described) : values(find(last.substring(0, equals)));
        }
        Optional<Flag> open =
                words.size() > 1
                        ? find(words.get(words.size() - 2))
                                .filter(flag -> !flag.type().valueIsOptional())
                        : Optional.empty();
        return open.isEmpty() && words.size() < 2 ? commands(last) : values(open);
    }

    private String names(String begin, boolean described) {
        var lines = new StringBuilder();
        for (Flag flag : flags.sorted()) {
            String name = "--" + flag.name();
            if (name.startsWith(begin)) {
                lines.append(name);
                if (described) {
                    lines.append('\t').append(Value.about(flag));
                }
                lines.append('\n');
            }
        }
        return lines + NO_FILES;
    }

    private String commands(String begin) {
        var lines = new ArrayList<>(commands);
        lines.removeIf(command -> !command.startsWith(begin));
        return String.join("\n", lines) + (lines.isEmpty() ? "" : "\n") + DEFAULT;
    }

    private static String values(Optional<Flag> flag) {
        return flag.filter(one -> Value.of(one) == Value.CONFIGURATION).isPresent()
                ? String.join("\n", Value.ENDINGS) + "\n" + FILES_BY_ENDING
                : DEFAULT;
    }

    private Optional<Flag> find(String word) {
        return flags.sorted().stream()
                .filter(flag ->
                        word.equals("--" + flag.name()) || word.equals("-" + flag.shorthand()))
                .findFirst();
    }
}
