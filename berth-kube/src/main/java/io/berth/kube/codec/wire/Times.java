package io.berth.kube.codec.wire;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/// Reads times in the one form that the API writes, `2026-01-02T03:04:05Z`, without the machinery
/// of the JDK's formatter, which allocates more than all the rest of a pod. Other forms go to it.
public final class Times {
    private static final int LENGTH = "2026-01-02T03:04:05Z".length();

    private Times() {}

    /// @throws DateTimeException where the text is no time
    public static Instant parse(char[] text, int offset, int length) {
        if (!isUsualForm(text, offset, length)) {
            return Instant.parse(new String(text, offset, length));
        }
        int hour = number(text, offset + 11, 2);
        int minute = number(text, offset + 14, 2);
        int second = number(text, offset + 17, 2);
        if (hour > 23 || minute > 59 || second > 59) {
            throw new DateTimeException("no time of day");
        }
        long day =
                LocalDate.of(
                                number(text, offset, 4),
                                number(text, offset + 5, 2),
                                number(text, offset + 8, 2))
                        .toEpochDay();
        return Instant.ofEpochSecond(86_400 * day + 3_600L * hour + 60L * minute + second);
    }

    private static boolean isUsualForm(char[] text, int offset, int length) {
        if (length != LENGTH) {
            return false;
        }
        for (int i = 0; i < LENGTH; i++) {
            char c = text[offset + i];
            boolean fits =
                    switch (i) {
                        case 4, 7 -> c == '-';
                        case 10 -> c == 'T';
                        case 13, 16 -> c == ':';
                        case 19 -> c == 'Z';
                        default -> c >= '0' && c <= '9';
                    };
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static int number(char[] text, int at, int digits) {
        int result = 0;
        for (int i = at; i < at + digits; i++) {
            result = 10 * result + text[i] - '0';
        }
        return result;
    }
}
