package io.berth.app.gate;

import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which features are on, at the versions that are emulated. Immutable.
public final class FeatureGates {
    /// All gates at their defaults.
    public static final FeatureGates DEFAULT = new FeatureGates(Versions.DEFAULT, Map.of());

    private final Versions versions;
    private final Map<String, Boolean> chosen;
    private final SortedMap<String, Boolean> on = new TreeMap<>();

    private FeatureGates(Versions versions, Map<String, Boolean> chosen) {
        this.versions = versions;
        this.chosen = Map.copyOf(chosen);
        GateTable.GATES.forEach((name, gate) -> on.put(name, value(gate)));
    }

    /// Reads the values of `--feature-gates`: lists of `[kube:]Name=bool`.
    ///
    /// @throws FlagException with the text for the user; several in the form `[one, two]`
    public static FeatureGates parse(Versions versions, List<String> values) throws FlagException {
        var gates = new FeatureGates(versions, choices(values));
        refuse(gates.impossible());
        refuse(gates.lacking());
        return gates;
    }

    /// Whether a feature is on.
    ///
    /// @throws IllegalArgumentException if there is no such gate, which is our own mistake
    public boolean isOn(String name) {
        Boolean value = on.get(name);
        if (value == null) {
            throw new IllegalArgumentException("There is no feature gate " + name);
        }
        return value;
    }

    public Versions versions() {
        return versions;
    }

    /// Every gate with its value, by name.
    public SortedMap<String, Boolean> all() {
        return new TreeMap<>(on);
    }

    /// The gates set on the command line to something else than their default.
    public SortedMap<String, Boolean> changed() {
        var changed = new TreeMap<>(on);
        changed.entrySet().removeIf(gate -> gate.getValue() == period(gate.getKey()).onByDefault());
        return changed;
    }

    /// The stage of a gate at the emulated version.
    public Stage stage(String name) {
        return period(name).stage();
    }

    /// What an operator should know about the choices made, each with the gate it is about.
    public List<Note> notes() {
        var notes = new ArrayList<Note>();
        new TreeMap<>(chosen)
                .forEach((name, value) -> {
                    switch (stage(name)) {
                        case GENERAL -> notes.add(settled("GA", name, value));
                        case DEPRECATED -> notes.add(settled("deprecated", name, value));
                        case PRE_ALPHA, ALPHA, BETA -> {}
                    }
                });
        return notes;
    }

    /// Alpha features that are on although an older version is emulated, which nobody has tested.
    public List<String> emulatedAlpha() {
        if (versions.emulation().compareTo(Versions.BINARY) >= 0) {
            return List.of();
        }
        return on.entrySet().stream()
                .filter(gate -> gate.getValue() && stage(gate.getKey()) == Stage.ALPHA)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// A remark about one gate.
    public record Note(String sentence, String gate, boolean value) {}

    /// The lines of a help text that name every gate worth choosing.
    public static List<String> helpLines() {
        return GateTable.GATES.values().stream()
                .filter(gate -> isOpen(gate.at(Versions.BINARY).stage()))
                .map(FeatureGates::helpLine)
                .toList();
    }

    private static boolean isOpen(Stage stage) {
        return stage == Stage.ALPHA || stage == Stage.BETA;
    }

    private static String helpLine(Gate gate) {
        Gate.Period period = gate.at(Versions.BINARY);
        // Made at every start, for a hundred gates: not by a format.
        return Versions.KUBE
                + ":"
                + gate.name()
                + "=true|false ("
                + period.stage().word()
                + " - default="
                + period.onByDefault()
                + ")";
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
            if (!component.getKey().isEmpty() && !component.getKey().equals(Versions.KUBE)) {
                throw new FlagException("component not registered: " + component.getKey());
            }
            for (String pair : component.getValue()) {
                addChoice(choices, pair);
            }
        }
        for (String name : choices.keySet()) {
            if (!GateTable.GATES.containsKey(name)) {
                throw new FlagException("unrecognized feature gate: " + name);
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

    private List<String> impossible() {
        var problems = new ArrayList<String>();
        new TreeMap<>(chosen)
                .forEach((name, value) -> {
                    Gate.Period period = period(name);
                    if (period.locked() && period.onByDefault() != value) {
                        problems.add(
                                "cannot set feature gate %s to %s, feature is locked to %s"
                                        .formatted(name, value, period.onByDefault()));
                    } else if (period.stage() == Stage.PRE_ALPHA) {
                        problems.add(
                                "cannot set feature gate %s to %s, feature is PreAlpha at emulated version %s, min compatibility version %s"
                                        .formatted(
                                                name,
                                                value,
                                                versions.emulation(),
                                                versions.minCompatibility()));
                    }
                });
        return problems;
    }

    private List<String> lacking() {
        var problems = new ArrayList<String>();
        for (Gate gate : GateTable.GATES.values()) {
            List<String> off = gate.needs().stream().filter(need -> !isOn(need)).toList();
            if (isOn(gate.name()) && !off.isEmpty()) {
                problems.add(
                        "%s is enabled, but depends on features that are disabled: [%s]"
                                .formatted(gate.name(), String.join(" ", off)));
            }
        }
        return problems;
    }

    private static void refuse(List<String> problems) throws FlagException {
        if (!problems.isEmpty()) {
            throw new FlagException(
                    problems.size() == 1
                            ? problems.getFirst()
                            : "[" + String.join(", ", problems) + "]");
        }
    }

    /// A gate's own choice comes before the choice for its whole stage, and that before the
    /// default.
    private boolean value(Gate gate) {
        Gate.Period period = gate.at(versions.emulation());
        Boolean own = chosen.get(gate.name());
        if (own != null) {
            return own;
        }
        Boolean ofStage =
                switch (period.stage()) {
                    case ALPHA -> chosen.get(GateTable.ALL_ALPHA);
                    case BETA -> chosen.get(GateTable.ALL_BETA);
                    case PRE_ALPHA, GENERAL, DEPRECATED -> null;
                };
        boolean special =
                gate.name().equals(GateTable.ALL_ALPHA) || gate.name().equals(GateTable.ALL_BETA);
        return ofStage == null || special ? period.onByDefault() : ofStage;
    }

    private Gate.Period period(String name) {
        Gate gate = GateTable.GATES.get(name);
        if (gate == null) {
            throw new IllegalArgumentException("There is no feature gate " + name);
        }
        return gate.at(versions.emulation());
    }

    private static Note settled(String stage, String name, boolean value) {
        return new Note(
                "Warning: setting "
                        + stage
                        + " feature gate. It will be removed in a future release.",
                name,
                value);
    }
}
