package io.berth.app.flag;

import io.berth.config.text.GoText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The flags that a command knows: reads a command line and writes the help text, both as pflag
/// does.
public final class FlagSet {
    private final Map<String, Flag> byName = new LinkedHashMap<>();

    public FlagSet(List<Flag> flags) {
        for (Flag flag : flags) {
            if (byName.put(flag.name(), flag) != null) {
                throw new IllegalArgumentException("Flag --" + flag.name() + " is defined twice");
            }
        }
    }

    /// Reads a command line. Flags and arguments may be mixed; `--` ends the flags.
    public ParsedFlags parse(List<String> commandLine) throws FlagException {
        var reading = new Reading(commandLine);
        while (reading.hasNext()) {
            String word = reading.next();
            if (word.equals("--")) {
                reading.takeRestAsArguments();
            } else if (word.startsWith("--")) {
                readLong(word.substring(2), reading);
            } else if (word.length() > 1 && word.startsWith("-")) {
                readShort(word.substring(1), reading);
            } else {
                reading.arguments.add(word);
            }
        }
        return new ParsedFlags(reading.values, reading.arguments);
    }

    /// All flags by name.
    public List<Flag> sorted() {
        return byName.values().stream().sorted(Comparator.comparing(Flag::name)).toList();
    }

    /// The sections of the help text, one per group, in the order in which the groups appear, for
    /// lines of any length.
    public String usage() {
        return usage(0);
    }

    /// The sections of the help text for a terminal.
    ///
    /// @param columns its width; 0 for lines of any length
    public String usage(int columns) {
        return Usage.of(byName.values(), columns);
    }

    /// Every flag by name with the text of its value, given or not.
    public SortedMap<String, String> valueTexts(ParsedFlags parsed) {
        var texts = new TreeMap<String, String>();
        for (Flag flag : byName.values()) {
            List<String> given = parsed.values().get(flag.name());
            texts.put(flag.name(), given == null ? flag.shownDefault() : text(flag, given));
        }
        return Collections.unmodifiableSortedMap(texts);
    }

    private static String text(Flag flag, List<String> values) {
        try {
            return flag.type().view().text(values);
        } catch (FlagException unchecked) {
            throw new IllegalStateException("--" + flag.name() + " was not checked", unchecked);
        }
    }

    private void readLong(String word, Reading reading) throws FlagException {
        if (word.startsWith("-") || word.startsWith("=")) {
            throw new FlagException("bad flag syntax: --" + word);
        }
        int equals = word.indexOf('=');
        String typed = equals < 0 ? word : word.substring(0, equals);
        Flag flag = byName.get(typed.replace('_', '-'));
        if (flag == null) {
            throw new FlagException("unknown flag: --" + typed);
        }
        if (equals >= 0) {
            reading.put(flag, word.substring(equals + 1));
        } else if (flag.type().valueIsOptional()) {
            reading.put(flag, "true");
        } else if (reading.hasNext()) {
            reading.put(flag, reading.next());
        } else {
            throw new FlagException("flag needs an argument: --" + typed);
        }
    }

    /// Reads letters behind one dash: several flags without values (`-hv`), or one with its value
    /// (`-v4`, `-v=4`, `-v 4`).
    private void readShort(String letters, Reading reading) throws FlagException {
        String rest = letters;
        while (!rest.isEmpty()) {
            char letter = rest.charAt(0);
            Flag flag = byShorthand(letter);
            if (flag == null) {
                throw new FlagException("unknown shorthand flag: '" + letter + "' in -" + rest);
            }
            if (rest.length() > 2 && rest.charAt(1) == '=') {
                reading.put(flag, rest.substring(2));
                return;
            }
            if (flag.type().valueIsOptional()) {
                reading.put(flag, "true");
                rest = rest.substring(1);
            } else if (rest.length() > 1) {
                reading.put(flag, rest.substring(1));
                return;
            } else if (reading.hasNext()) {
                reading.put(flag, reading.next());
                return;
            } else {
                throw new FlagException("flag needs an argument: '" + letter + "' in -" + rest);
            }
        }
    }

    private @Nullable Flag byShorthand(char letter) {
        for (Flag flag : byName.values()) {
            if (flag.shorthand() == letter) {
                return flag;
            }
        }
        return null;
    }

    /// One pass over a command line.
    private static final class Reading {
        private final List<String> commandLine;
        private final Map<String, List<String>> values = new LinkedHashMap<>();
        private final List<String> arguments = new ArrayList<>();
        private int position;

        Reading(List<String> commandLine) {
            this.commandLine = List.copyOf(commandLine);
        }

        boolean hasNext() {
            return position < commandLine.size();
        }

        String next() {
            return commandLine.get(position++);
        }

        void takeRestAsArguments() {
            arguments.addAll(commandLine.subList(position, commandLine.size()));
            position = commandLine.size();
        }

        void put(Flag flag, String value) throws FlagException {
            try {
                flag.type().check().check(value);
            } catch (FlagException problem) {
                throw new FlagException(
                        "invalid argument %s for \"%s\" flag: %s"
                                .formatted(GoText.quote(value), flag.title(), problem.sentence()));
            }
            values.computeIfAbsent(flag.name(), _ -> new ArrayList<>()).add(value);
        }
    }
}
