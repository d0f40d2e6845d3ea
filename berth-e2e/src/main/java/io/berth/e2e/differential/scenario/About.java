package io.berth.e2e.differential.scenario;

import java.util.Locale;

/// What a seed's cluster is about.
public enum About {
    /// Everything that a theme says.
    ALL,
    /// Preemption alone, each case in a cluster of its own.
    RIVALS,
    /// Pods with volumes.
    VOLUMES,
    /// Pods that claim devices.
    DEVICES;

    /// Every fifth seed is about preemption, every fifth about volumes, every fifth about devices.
    public static About of(long seed) {
        return switch ((int) (seed % 5)) {
            case 0 -> RIVALS;
            case 3 -> VOLUMES;
            case 4 -> DEVICES;
            default -> ALL;
        };
    }

    public static About named(String text) {
        for (var about : values()) {
            if (about.name().toLowerCase(Locale.ROOT).equals(text)) {
                return about;
            }
        }
        throw new IllegalArgumentException(
                "nothing is about \"%s\"; there are all, rivals, volumes and devices"
                        .formatted(text));
    }
}
