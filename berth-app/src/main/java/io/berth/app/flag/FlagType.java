package io.berth.app.flag;

import io.berth.api.amount.GoDuration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A kind of values that flags take: its name in the help text, its check, and the form in which a
/// value is shown. The checks speak like Go's `strconv` and `time`, since these texts reach the
/// user.
///
/// @param word how the help text names the value; empty when the flag is used without one
/// @param valueIsOptional whether the mere presence of the flag means `true`
/// @param view the values given, in order, as one text
public record FlagType(String word, boolean valueIsOptional, Check check, View view) {
    /// Refuses a value that is not of this kind.
    @FunctionalInterface
    public interface Check {
        void check(String value) throws FlagException;
    }

    /// Shows the values of a flag, which have passed the check.
    @FunctionalInterface
    public interface View {
        String text(List<String> values) throws FlagException;
    }

    public static final FlagType STRING = of("string", _ -> {}, List::getLast);

    /// Needs no value: its mere presence means true.
    public static final FlagType BOOL =
            new FlagType(
                    "",
                    true,
                    GoSyntax::parseBool,
                    values -> "" + GoSyntax.parseBool(values.getLast()));

    public static final FlagType INT =
            of(
                    "int",
                    value -> GoSyntax.parseInt(value, 64),
                    values -> "" + GoSyntax.parseInt(values.getLast(), 64));

    public static final FlagType INT32 =
            of(
                    "int32",
                    value -> GoSyntax.parseInt(value, 32),
                    values -> "" + GoSyntax.parseInt(values.getLast(), 32));

    public static final FlagType FLOAT32 =
            of(
                    "float32",
                    GoSyntax::parseFloat,
                    values -> GoSyntax.formatFloat(GoSyntax.parseFloat(values.getLast())));

    public static final FlagType LEVEL =
            of("Level", GoSyntax::parseLevel, values -> "" + GoSyntax.parseLevel(values.getLast()));

    public static final FlagType DURATION =
            of(
                    "duration",
                    GoSyntax::parseDuration,
                    values -> GoDuration.format(GoSyntax.parseDuration(values.getLast())));

    /// A whole number that the command checks itself, to tell its limits in plain words.
    public static final FlagType NUMBER = of("int", _ -> {}, List::getLast);

    /// A comma-separated list; repeated flags append.
    public static final FlagType STRINGS =
            of("strings", Csv::fields, values -> "[" + String.join(",", Csv.fields(values)) + "]");

    public static final FlagType INT32_LIST =
            of("int32Slice", FlagType::checkNumbers, FlagType::numbers);

    /// Pairs of key and value.
    public static final FlagType MAP =
            of(
                    "stringToString",
                    Pairs::read,
                    values ->
                            Pairs.readAll(values).entrySet().stream()
                                    .map(pair -> pair.getKey() + "=" + pair.getValue())
                                    .collect(Collectors.joining(",", "[", "]")));

    /// An address of either family; blank means every address.
    public static final FlagType IP =
            of(
                    "ip",
                    value -> {
                        if (!value.isBlank()) {
                            GoSyntax.checkIp(value.strip());
                        }
                    },
                    values -> values.getLast().isBlank() ? "<nil>" : values.getLast().strip());

    /// A kind whose flags need a value.
    public static FlagType of(String word, Check check, View view) {
        return new FlagType(word, false, check, view);
    }

    /// The text of a value that was never given.
    String zero() {
        return switch (word) {
            case "" -> "false";
            case "int", "int32", "float32", "Level", "quantity" -> "0";
            case "strings", "int32Slice", "stringToString" -> "[]";
            default -> "";
        };
    }

    private static void checkNumbers(String value) throws FlagException {
        for (String item : value.split(",", -1)) {
            GoSyntax.parseInt(item, 32);
        }
    }

    private static String numbers(List<String> values) throws FlagException {
        var numbers = new ArrayList<String>();
        for (String value : values) {
            for (String item : value.split(",", -1)) {
                numbers.add("" + GoSyntax.parseInt(item, 32));
            }
        }
        return "[" + String.join(",", numbers) + "]";
    }
}
