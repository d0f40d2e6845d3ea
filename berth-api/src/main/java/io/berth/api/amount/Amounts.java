package io.berth.api.amount;

import java.util.List;
import java.util.Locale;

/// Amounts of resources, in the units that the scheduler counts them in, as people write them.
public final class Amounts {
    private static final List<String> UNITS = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi");

    private Amounts() {}

    /// As a manifest may have it: `1850m`, `4Gi`, `8`.
    public static String exact(String resource, long amount) {
        if (resource.equals(Resources.CPU)) {
            return amount % 1000 == 0 ? Long.toString(amount / 1000) : amount + "m";
        }
        if (!isBytes(resource)) {
            return Long.toString(amount);
        }
        int unit = 0;
        long left = amount;
        while (left != 0 && left % 1024 == 0 && unit < UNITS.size() - 1) {
            left /= 1024;
            unit++;
        }
        return left + UNITS.get(unit);
    }

    /// As a table shows it: bytes with three digits.
    public static String rough(String resource, long amount) {
        if (!isBytes(resource)) {
            return exact(resource, amount);
        }
        double left = amount;
        int unit = 0;
        while (Math.abs(left) >= 1024 && unit < UNITS.size() - 1) {
            left /= 1024;
            unit++;
        }
        boolean isWhole = left == Math.rint(left) || Math.abs(left) >= 100;
        return (isWhole ? Long.toString((long) left) : String.format(Locale.ROOT, "%.1f", left))
                + UNITS.get(unit);
    }

    /// Whether a resource is counted in bytes: those of pods, and `storage` of claims.
    public static boolean isBytes(String resource) {
        return resource.equals(Resources.MEMORY)
                || resource.equals(Resources.EPHEMERAL_STORAGE)
                || resource.startsWith("hugepages-")
                || resource.equals("storage")
                || resource.startsWith("storage ");
    }
}
