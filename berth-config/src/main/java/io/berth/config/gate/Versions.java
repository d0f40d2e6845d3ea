package io.berth.config.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Which version's features the process offers.
///
/// @param emulation the version whose behaviour is emulated
/// @param minCompatibility the oldest version that the other parts of the control plane may have
public record Versions(KubeVersion emulation, KubeVersion minCompatibility) {
    /// The component that all flags mean when they name none.
    public static final String KUBE = "kube";

    public static final KubeVersion BINARY = new KubeVersion(1, 36);
    static final KubeVersion OLDEST = new KubeVersion(1, 33);

    public static final Versions DEFAULT = new Versions(BINARY, BINARY.previous());

    /// The versions that may be emulated, from old to new.
    static List<KubeVersion> all() {
        return IntStream.rangeClosed(OLDEST.minor(), BINARY.minor())
                .mapToObj(minor -> new KubeVersion(BINARY.major(), minor))
                .toList();
    }

    /// What is not given is this release, and the one before the emulated.
    public static Versions of(
            Optional<KubeVersion> emulation, Optional<KubeVersion> minCompatibility) {
        KubeVersion effective = emulation.orElse(BINARY);
        KubeVersion byDefault =
                effective.previous().compareTo(OLDEST) < 0 ? OLDEST : effective.previous();
        return new Versions(effective, minCompatibility.orElse(byDefault));
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
}
