package io.berth.ui;

/// The order in which people would put names: `cpu-9`, `cpu-10`, `gpu-1`.
final class NaturalOrder {
    private NaturalOrder() {}

    static int compare(String one, String other) {
        int i = 0;
        int j = 0;
        while (i < one.length() && j < other.length()) {
            int numberEnd = numberEnd(one, i);
            int otherEnd = numberEnd(other, j);
            int difference =
                    numberEnd > i && otherEnd > j
                            ? compareNumbers(
                                    one.substring(i, numberEnd), other.substring(j, otherEnd))
                            : Character.compare(one.charAt(i), other.charAt(j));
            if (difference != 0) {
                return difference;
            }
            i = Math.max(numberEnd, i + 1);
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

    private static int compareNumbers(String one, String other) {
        var digits = one.replaceFirst("^0+", "");
        var otherDigits = other.replaceFirst("^0+", "");
        int length = Integer.compare(digits.length(), otherDigits.length());
        return length != 0 ? length : digits.compareTo(otherDigits);
    }
}
