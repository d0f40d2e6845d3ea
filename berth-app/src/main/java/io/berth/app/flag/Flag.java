package io.berth.app.flag;

/// One flag of a command.
///
/// @param shorthand the letter after a single dash, or 0
/// @param defaultValue as the help text shows it; empty when there is nothing to show
public record Flag(
        String group,
        String name,
        char shorthand,
        FlagType type,
        String defaultValue,
        String help) {

    String title() {
        return shorthand == 0 ? "--" + name : "-" + shorthand + ", --" + name;
    }
}
