package io.berth.cel;

import org.jspecify.annotations.Nullable;

/// An IP address, without a zone. Version 4 is in the lowest 32 bits.
record Address(long high, long low, boolean isV4) {
    private static final int GROUPS = 8;
    private static final int GROUP_BITS = 16;
    private static final int V4_BITS = 32;
    private static final int V6_BITS = 128;

    /// Null where it is none. One of version 4 in the clothes of version 6 is none here.
    static @Nullable Address parse(String text) {
        if (text.indexOf(':') < 0) {
            long address = v4(text);
            return address < 0 ? null : new Address(0, address, true);
        }
        var parsed = v6(text);
        return parsed == null || parsed.high == 0 && parsed.low >>> V4_BITS == 0xFFFF
                ? null
                : parsed;
    }

    /// -1 where it is none.
    private static long v4(String text) {
        var parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return -1;
        }
        long address = 0;
        for (var part : parts) {
            if (!part.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(part) > 255) {
                return -1;
            }
            address = address << 8 | Integer.parseInt(part);
        }
        return address;
    }

    private static @Nullable Address v6(String text) {
        String all = text;
        int lastColon = all.lastIndexOf(':');
        if (all.indexOf('.') > lastColon) {
            long end = v4(all.substring(lastColon + 1));
            if (end < 0) {
                return null;
            }
            all =
                    all.substring(0, lastColon + 1)
                            + Long.toHexString(end >>> GROUP_BITS)
                            + ":"
                            + Long.toHexString(end & 0xFFFF);
        }
        int gap = all.indexOf("::");
        var groups = new int[GROUPS];
        if (gap < 0) {
            return fill(groups, all, 0) == GROUPS ? of(groups) : null;
        }
        String after = all.substring(gap + 2);
        int before = gap == 0 ? 0 : fill(groups, all.substring(0, gap), 0);
        int count = after.isEmpty() ? 0 : after.split(":", -1).length;
        if (before < 0 || before + count >= GROUPS) {
            return null;
        }
        return count == 0 || fill(groups, after, GROUPS - count) == GROUPS ? of(groups) : null;
    }

    /// Reads groups from a place on.
    ///
    /// @return the place after them; -1 where they are none
    private static int fill(int[] groups, String text, int from) {
        int place = from;
        for (var part : text.split(":", -1)) {
            if (place == GROUPS || !part.matches("[0-9a-fA-F]{1,4}")) {
                return -1;
            }
            groups[place++] = Integer.parseInt(part, 16);
        }
        return place;
    }

    private static Address of(int[] groups) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < GROUPS; i++) {
            high = high << GROUP_BITS | low >>> (Long.SIZE - GROUP_BITS);
            low = low << GROUP_BITS | groups[i];
        }
        return new Address(high, low, false);
    }

    int bits() {
        return isV4 ? V4_BITS : V6_BITS;
    }

    /// The address with all but its first bits zero.
    Address first(int count) {
        if (isV4) {
            return new Address(0, low & -1L << (V4_BITS - count), true);
        }
        return new Address(
                high & mask(Math.min(count, Long.SIZE)),
                low & mask(Math.max(0, count - Long.SIZE)),
                false);
    }

    private static long mask(int count) {
        return count == 0 ? 0 : -1L << (Long.SIZE - count);
    }

    boolean isUnspecified() {
        return high == 0 && low == 0;
    }

    boolean isLoopback() {
        return isV4 ? low >>> 24 == 127 : high == 0 && low == 1;
    }

    boolean isMulticast() {
        return isV4 ? low >>> 28 == 0xE : high >>> 56 == 0xFF;
    }

    boolean isLinkLocalMulticast() {
        return isV4 ? low >>> 8 == 0xE0_0000 : (high >>> 48 & 0xFF0F) == 0xFF02;
    }

    boolean isLinkLocalUnicast() {
        return isV4 ? low >>> 16 == 0xA9FE : high >>> 54 == 0xFE80 >>> 6;
    }

    boolean isGlobalUnicast() {
        boolean isBroadcast = isV4 && low == 0xFFFF_FFFFL;
        return !isUnspecified()
                && !isBroadcast
                && !isLoopback()
                && !isMulticast()
                && !isLinkLocalUnicast();
    }

    private int group(int index) {
        long half = index < GROUPS / 2 ? high : low;
        return (int) (half >>> (GROUP_BITS * (3 - index % (GROUPS / 2))) & 0xFFFF);
    }

    /// In its one canonical form: small letters, the first of the longest runs of zeros left out.
    @Override
    public String toString() {
        if (isV4) {
            return (low >>> 24)
                    + "."
                    + (low >>> 16 & 0xFF)
                    + "."
                    + (low >>> 8 & 0xFF)
                    + "."
                    + (low & 0xFF);
        }
        int gap = -1;
        int longest = 1;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && group(end) == 0) {
                end++;
            }
            if (end - i > longest) {
                gap = i;
                longest = end - i;
            }
        }
        var text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                text.append("::");
                i += longest - 1;
            } else {
                boolean needsColon = i > 0 && i != gap + longest || gap < 0 && i > 0;
                text.append(needsColon ? ":" : "").append(Integer.toHexString(group(i)));
            }
        }
        return text.toString();
    }
}
