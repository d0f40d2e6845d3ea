package io.berth.ui;

/// The order in which people would put names: `cpu-9`, `cpu-10`, `gpu-1`. Allocates nothing: a
/// hundred thousand names are compared two million times.
final class NaturalOrder {
    private NaturalOrder() {}

    static int compare(String one, String other) {
        int i = 0;
        int j = 0;
        while (i < one.length() && j < other.length()) {
            int end = numberEnd(one, i);
            int otherEnd = numberEnd(other, j);
            int difference =
                    end > i && otherEnd > j
                            ? compareNumbers(one, i, end, other, j, otherEnd)
                            : Character.compare(one.charAt(i), other.charAt(j));
            if (difference != 0) {
                return difference;
            }
            i = Math.max(end, i + 1);
            j = Math.max(otherEnd, j + 1);
        }
        int rest = Integer.compare(one.length() - i, other.length() - j);
        return rest != 0 ? rest : one.compareTo(other);
    }

    /// Where the digits that begin at a place end; the place itself where there are none.
    private static int numberEnd(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    private static int compareNumbers(
            String one, int from, int end, String other, int otherFrom, int otherEnd) {
        int i = withoutZeros(one, from, end);
        int j = withoutZeros(other, otherFrom, otherEnd);
        int difference = Integer.compare(end - i, otherEnd - j);
        for (; difference == 0 && i < end; i++, j++) {
            difference = Character.compare(one.charAt(i), other.charAt(j));
        }
        return difference;
    }

    private static int withoutZeros(String text, int from, int end) {
        int first = from;
        while (first < end && text.charAt(first) == '0') {
            first++;
        }
        return first;
    }
}
