package io.berth.app.flag;

import io.berth.config.text.GoText;
import java.util.Set;

/// One flag of a command.
///
/// @param shorthand the letter after a single dash, or 0
/// @param defaultValue the text of the value that holds without the flag
public record Flag(
        String group,
        String name,
        char shorthand,
        FlagType type,
        String defaultValue,
        String help) {
    /// Defaults that are not worth a word in the help text.
    private static final Set<String> NOTHING = Set.of("", "0", "0s", "false");

    String title() {
        return shorthand == 0 ? "--" + name : "-" + shorthand + ", --" + name;
    }

    /// The default as a log line shows it, where an absent one has its zero.
    String shownDefault() {
        return defaultValue.isEmpty() ? type.zero() : defaultValue;
    }

    /// The explanation and, where there is one, the default.
    String explanation() {
        boolean emptyList = defaultValue.equals("[]") && type.equals(FlagType.STRINGS);
        if (emptyList || NOTHING.contains(defaultValue)) {
            return help;
        }
        String shown = type.equals(FlagType.STRING) ? GoText.quote(defaultValue) : defaultValue;
        return help + " (default " + shown + ")";
    }
}
