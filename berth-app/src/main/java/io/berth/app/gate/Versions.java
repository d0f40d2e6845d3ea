package io.berth.app.gate;

import io.berth.app.flag.FlagException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which version's features the process offers.
///
/// @param emulation the version whose behaviour is emulated
/// @param minCompatibility the oldest version that the other parts of the control plane may have
public record Versions(KubeVersion emulation, KubeVersion minCompatibility) {
    /// The component that all flags mean when they name none.
    static final String KUBE = "kube";

    public static final KubeVersion BINARY = new KubeVersion(1, 36);
    static final KubeVersion OLDEST = new KubeVersion(1, 33);

    public static final Versions DEFAULT = new Versions(BINARY, BINARY.previous());

    /// Reads the values of `--emulated-version` and `--min-compatibility-version`, each
    /// `[kube=]major.minor`. Whether the versions are within bounds is asked by [#check].
    public static Versions parse(List<String> emulated, List<String> minCompatible)
            throws FlagException {
        Optional<KubeVersion> emulation = read(emulated);
        Optional<KubeVersion> oldest = read(minCompatible);
        KubeVersion effective = emulation.orElse(BINARY);
        KubeVersion byDefault =
                effective.previous().compareTo(OLDEST) < 0 ? OLDEST : effective.previous();
        return new Versions(effective, oldest.orElse(byDefault));
    }

    /// What is wrong with these versions, in the words of kube-scheduler.
    public List<String> check() {
        var problems = new ArrayList<String>();
        if (emulation.compareTo(BINARY) > 0 || emulation.compareTo(OLDEST) < 0) {
            problems.add(
                    "emulation version %s is not between [%s, %s.0]"
                            .formatted(emulation, OLDEST, BINARY));
        }
        if (minCompatibility.compareTo(emulation) > 0 || minCompatibility.compareTo(OLDEST) < 0) {
            problems.add(
                    "minCompatibilityVersion version %s is not between [%s, %s]"
                            .formatted(minCompatibility, OLDEST, emulation));
        }
        return problems;
    }

    private static Optional<KubeVersion> read(List<String> values) throws FlagException {
        Map<String, KubeVersion> byComponent = new LinkedHashMap<>();
        for (String value : values) {
            int sign = value.indexOf('=');
            String component = sign < 0 ? KUBE : value.substring(0, sign).strip();
            String text = sign < 0 ? value : value.substring(sign + 1).strip();
            List<Integer> numbers = KubeVersion.numbers(text);
            if (numbers.size() > 2 && numbers.get(2) != 0) {
                throw new FlagException(
                        "patch version not allowed, got: "
                                + component
                                + "="
                                + text.replaceFirst("^v", ""));
            }
            var version = new KubeVersion(numbers.get(0), numbers.get(1));
            KubeVersion before = byComponent.put(component, version);
            if (before != null) {
                throw new FlagException(
                        "duplicate version flag, %s=%s and %s=%s"
                                .formatted(component, before, component, version));
            }
        }
        for (String component : byComponent.keySet()) {
            if (!component.equals(KUBE)) {
                throw new FlagException("component not registered: " + component);
            }
        }
        return Optional.ofNullable(byComponent.get(KUBE));
    }
}
