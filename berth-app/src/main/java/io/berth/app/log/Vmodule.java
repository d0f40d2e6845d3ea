package io.berth.app.log;

import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import io.berth.config.text.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Verbosity by origin: the value of `--vmodule`. A pattern without a dot is compared with the name
/// of the source file without its ending (`Binder`, `Scheduling*`), one with a dot with the name of
/// the class (`io.berth.engine.*`).
///
/// Used by every thread.
public final class Vmodule {
    public static final Vmodule NONE = new Vmodule(List.of());

    private final List<Rule> rules;
    private final ConcurrentHashMap<String, Integer> byClass = new ConcurrentHashMap<>();

    private Vmodule(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    private record Rule(String pattern, int verbosity) {
        boolean matches(String className, String fileName) {
            String name =
                    pattern.indexOf('.') >= 0 ? className : fileName.replaceFirst("\\.java$", "");
            return Pattern.matches(expression(pattern), name);
        }
    }

    /// Reads `pattern=N,pattern=N` once for each time the flag was given.
    public static Vmodule parse(List<String> values) throws FlagException {
        var rules = new ArrayList<Rule>();
        for (String value : values) {
            for (String item : value.split(",", -1)) {
                if (!item.isEmpty()) {
                    rules.add(rule(item));
                }
            }
        }
        return new Vmodule(rules);
    }

    private static Rule rule(String item) throws FlagException {
        String[] parts = item.split("=", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new FlagException(GoText.quote(item) + " does not have the pattern=N format");
        }
        try {
            return new Rule(parts[0], GoSyntax.parseLevel(parts[1]));
        } catch (FlagException notALevel) {
            throw new FlagException(
                    "parsing verbosity in " + GoText.quote(item) + ": " + notALevel.sentence());
        }
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /// The verbosity of the first rule for that class; -1 if there is none.
    int verbosity(String className, String fileName) {
        return byClass.computeIfAbsent(
                className,
                _ ->
                        rules.stream()
                                .filter(rule -> rule.matches(className, fileName))
                                .findFirst()
                                .map(Rule::verbosity)
                                .orElse(-1));
    }

    /// The form in which the flag is shown.
    @Override
    public String toString() {
        return rules.stream()
                .map(rule -> rule.pattern() + "=" + rule.verbosity())
                .collect(Collectors.joining(","));
    }

    /// A pattern with `*` and `?` as a regular expression.
    private static String expression(String pattern) {
        return pattern.chars()
                .mapToObj(letter ->
                        switch (letter) {
                            case '*' -> ".*";
                            case '?' -> ".";
                            default -> Pattern.quote(Character.toString(letter));
                        })
                .collect(Collectors.joining());
    }
}
