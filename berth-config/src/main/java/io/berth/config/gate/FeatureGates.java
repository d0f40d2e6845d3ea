package io.berth.config.gate;

import io.berth.config.text.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

    /// @param chosen by name, in the order given
    /// @throws ConfigurationException where there is no such gate or it cannot be so
    public static FeatureGates of(Versions versions, Map<String, Boolean> chosen)
            throws ConfigurationException {
        for (String name : chosen.keySet()) {
            if (!GateTable.GATES.containsKey(name)) {
                throw new ConfigurationException("unrecognized feature gate: " + name);
            }
        }
        var gates = new FeatureGates(versions, chosen);
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

    /// The names of the gates that are on.
    public Set<String> on() {
        return on.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /// Every gate with its value, by name.
    public SortedMap<String, Boolean> all() {
        return new TreeMap<>(on);
    }

    /// The gates that are not what they are by default in this release: chosen otherwise, or still
    /// otherwise in the release that is emulated.
    public SortedMap<String, Boolean> changed() {
        var changed = new TreeMap<>(on);
        changed.entrySet()
                .removeIf(gate ->
                        gate.getValue() == byDefault(gate.getKey(), Versions.BINARY)
                                && gate.getValue()
                                        == byDefault(gate.getKey(), versions.emulation()));
        return changed;
    }

    private static boolean byDefault(String name, KubeVersion version) {
        return gate(name).at(version).onByDefault();
    }

    /// The gates that kube-scheduler reads and that can be chosen in some release that may be
    /// emulated.
    public static Set<String> choosable() {
        return GateTable.GATES.values().stream()
                .filter(Gate::isRead)
                .filter(gate -> Versions.all().stream().anyMatch(gate::isChoosable))
                .map(Gate::name)
                .collect(Collectors.toSet());
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

    private static void refuse(List<String> problems) throws ConfigurationException {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
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
        return gate(name).at(versions.emulation());
    }

    private static Gate gate(String name) {
        Gate gate = GateTable.GATES.get(name);
        if (gate == null) {
            throw new IllegalArgumentException("There is no feature gate " + name);
        }
        return gate;
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
