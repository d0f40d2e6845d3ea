package io.berth.serving.http;

import io.berth.api.amount.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/// One of the types that an `Accept` header names.
///
/// @param parameters without `q`
public record MediaType(
        String type, String subtype, Map<String, String> parameters, double quality) {
    /// The kind that `as`, `v` and `g` ask for.
    public record Kind(String group, String version, String name) {}

    /// A type that can be had, and as which kind.
    public record Choice(String mediaType, Optional<Kind> kind, boolean pretty) {}

    /// The best of the offered types that the header accepts.
    ///
    /// @param mayConvert whether a type can be had as a kind, or as it is
    public static Optional<Choice> choose(
            String accept, List<String> offered, BiPredicate<String, Optional<Kind>> mayConvert) {
        for (MediaType wanted : parse(accept)) {
            for (String offer : offered) {
                if (wanted.matches(offer) && mayConvert.test(offer, wanted.kind())) {
                    boolean pretty = "1".equals(wanted.parameters.get("pretty"));
                    return Optional.of(new Choice(offer, wanted.kind(), pretty));
                }
            }
        }
        return Optional.empty();
    }

    /// Best first; among equals, the more exact ones.
    public static List<MediaType> parse(String accept) {
        var types = new ArrayList<MediaType>();
        for (String part : accept.split(",", -1)) {
            parseOne(part).ifPresent(types::add);
        }
        types.sort(
                Comparator.comparingDouble((MediaType one) -> -one.quality)
                        .thenComparing(one -> one.type.equals("*"))
                        .thenComparing(one -> one.subtype.equals("*")));
        return types;
    }

    private static Optional<MediaType> parseOne(String text) {
        String[] parts = text.split(";", -1);
        String[] names = parts[0].strip().toLowerCase(Locale.ROOT).split("/", -1);
        if (names.length == 1 && names[0].equals("*")) {
            names = new String[] {"*", "*"};
        }
        if (names.length != 2) {
            return Optional.empty();
        }
        var parameters = new HashMap<String, String>();
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            String name = pair[0].strip();
            String value = pair.length == 2 ? pair[1].strip() : "";
            if (name.equals("q")) {
                quality = quality(value);
            } else {
                parameters.put(name, value);
            }
        }
        return Optional.of(new MediaType(names[0], names[1], parameters, quality));
    }

    private static double quality(String text) {
        if (Numbers.isTooLong(text)) {
            return 1;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException unreadable) {
            return 1;
        }
    }

    private boolean matches(String offer) {
        int slash = offer.indexOf('/');
        return (type.equals("*") || type.equals(offer.substring(0, slash)))
                && (subtype.equals("*") || subtype.equals(offer.substring(slash + 1)));
    }

    private Optional<Kind> kind() {
        if (!parameters.containsKey("as")
                && !parameters.containsKey("v")
                && !parameters.containsKey("g")) {
            return Optional.empty();
        }
        return Optional.of(
                new Kind(
                        parameters.getOrDefault("g", ""),
                        parameters.getOrDefault("v", ""),
                        parameters.getOrDefault("as", "")));
    }
}
