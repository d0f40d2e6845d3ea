package io.berth.app.option;

import io.berth.api.amount.Numbers;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import io.berth.app.flag.ParsedFlags;
import io.berth.config.gate.FeatureGates;
import io.berth.config.gate.KubeVersion;
import io.berth.config.gate.Versions;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.GoText;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the flags of the group "feature gate": `--feature-gates`, `--emulated-version` and
/// `--min-compatibility-version`.
public final class GateFlags {
    private static final Pattern VERSION = Pattern.compile("\\s*v?([0-9]+(?:\\.[0-9]+)*)(.*)");
    private static final BigInteger LARGEST = BigInteger.valueOf(Integer.MAX_VALUE);

    private GateFlags() {}

    static FeatureGates from(ParsedFlags flags) throws FlagException {
        return gates(
                versions(
                        flags.strings("emulated-version").orElse(List.of()),
                        flags.strings("min-compatibility-version").orElse(List.of())),
                flags.all("feature-gates"));
    }

    /// Lists of `[kube:]Name=bool`.
    ///
    /// @throws FlagException with the text for the user; several in the form `[one, two]`
    public static FeatureGates gates(Versions versions, List<String> values) throws FlagException {
        try {
            return FeatureGates.of(versions, choices(values));
        } catch (ConfigurationException impossible) {
            throw new FlagException(String.valueOf(impossible.getMessage()));
        }
    }

    /// Each `[kube=]major.minor`. Whether the versions are within bounds is asked by
    /// [Versions#check].
    static Versions versions(List<String> emulated, List<String> minCompatible)
            throws FlagException {
        return Versions.of(version(emulated), version(minCompatible));
    }

    /// Values by name, in the order given.
    private static Map<String, Boolean> choices(List<String> values) throws FlagException {
        Map<String, List<String>> byComponent = new LinkedHashMap<>();
        for (String value : values) {
            for (String item : value.split(",", -1)) {
                if (!item.isEmpty()) {
                    int colon = item.indexOf(':');
                    byComponent
                            .computeIfAbsent(
                                    colon < 0 ? "" : item.substring(0, colon).strip(),
                                    _ -> new ArrayList<>())
                            .add(item.substring(colon + 1).strip());
                }
            }
        }
        if (byComponent.containsKey("") && byComponent.containsKey(Versions.KUBE)) {
            throw new FlagException(
                    "set kube feature gates with default empty prefix or kube: prefix consistently,"
                            + " do not mix use");
        }
        var choices = new LinkedHashMap<String, Boolean>();
        for (Map.Entry<String, List<String>> component : byComponent.entrySet()) {
            if (!component.getKey().isEmpty()) {
                requireKube(component.getKey());
            }
            for (String pair : component.getValue()) {
                addChoice(choices, pair);
            }
        }
        return choices;
    }

    private static void addChoice(Map<String, Boolean> choices, String pair) throws FlagException {
        int sign = pair.indexOf('=');
        String name = (sign < 0 ? pair : pair.substring(0, sign)).strip();
        if (sign < 0) {
            throw new FlagException("missing bool value for " + name);
        }
        String value = pair.substring(sign + 1).strip();
        try {
            choices.put(name, GoSyntax.parseBool(value));
        } catch (FlagException notBool) {
            throw new FlagException(
                    "invalid value of %s=%s, err: %s".formatted(name, value, notBool.sentence()));
        }
    }

    private static Optional<KubeVersion> version(List<String> values) throws FlagException {
        Map<String, KubeVersion> byComponent = new LinkedHashMap<>();
        for (String value : values) {
            int sign = value.indexOf('=');
            String component = sign < 0 ? Versions.KUBE : value.substring(0, sign).strip();
            String text = sign < 0 ? value : value.substring(sign + 1).strip();
            KubeVersion version = version(component, text);
            KubeVersion before = byComponent.put(component, version);
            if (before != null) {
                throw new FlagException(
                        "duplicate version flag, %s=%s and %s=%s"
                                .formatted(component, before, component, version));
            }
        }
        for (String component : byComponent.keySet()) {
            requireKube(component);
        }
        return Optional.ofNullable(byComponent.get(Versions.KUBE));
    }

    private static KubeVersion version(String component, String text) throws FlagException {
        List<Integer> numbers = numbers(text);
        if (numbers.size() > 2 && numbers.get(2) != 0) {
            throw new FlagException(
                    "patch version not allowed, got: "
                            + component
                            + "="
                            + text.replaceFirst("^v", ""));
        }
        return new KubeVersion(numbers.get(0), numbers.get(1));
    }

    private static void requireKube(String component) throws FlagException {
        if (!component.equals(Versions.KUBE)) {
            throw new FlagException("component not registered: " + component);
        }
    }

    /// The numbers at the start of a version, two or more.
    private static List<Integer> numbers(String text) throws FlagException {
        Matcher matcher = VERSION.matcher(text);
        if (Numbers.isTooLong(text) || !matcher.matches()) {
            throw new FlagException(
                    "could not parse " + GoText.quote(Numbers.shown(text)) + " as version");
        }
        String[] parts = matcher.group(1).split("\\.", -1);
        if (parts.length < 2) {
            throw new FlagException("illegal version string " + GoText.quote(text));
        }
        if (parts[0].startsWith("0") && !parts[0].equals("0")) {
            throw new FlagException(
                    "illegal zero-prefixed version component %s in %s"
                            .formatted(GoText.quote(parts[0]), GoText.quote(text)));
        }
        var numbers = new ArrayList<Integer>();
        for (String part : parts) {
            numbers.add(Numbers.whole(part, 10).min(LARGEST).intValue());
        }
        return numbers;
    }
}
