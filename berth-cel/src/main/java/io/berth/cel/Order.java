package io.berth.cel;

import dev.cel.common.values.CelByteString;
import java.util.Arrays;

/// The order of texts and bytes: that of the bytes, which for texts is that of the code points.
final class Order {
    private Order() {}

    static int compare(String one, String other) {
        int at = 0;
        int end = Math.min(one.length(), other.length());
        while (at < end && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        if (at == end) {
            return Integer.compare(one.length(), other.length());
        }
        return Integer.compare(rank(one.charAt(at)), rank(other.charAt(at)));
    }

    /// Halves of code points come after all whole ones.
    private static int rank(char unit) {
        return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
    }

    static int compare(CelByteString one, CelByteString other) {
        return Arrays.compareUnsigned(one.toByteArray(), other.toByteArray());
    }
}
