package io.berth.app.gate;

import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A version of Kubernetes, as far as features depend on it: major and minor.
public record KubeVersion(int major, int minor) implements Comparable<KubeVersion> {
    private static final Pattern FORM = Pattern.compile("\\s*v?([0-9]+(?:\\.[0-9]+)*)(.*)");
    private static final BigInteger LARGEST = BigInteger.valueOf(Integer.MAX_VALUE);

    /// Reads `1.36`, with or without `v` before and anything behind it.
    static KubeVersion of(String text) {
        try {
            List<Integer> numbers = numbers(text);
            return new KubeVersion(numbers.get(0), numbers.get(1));
        } catch (FlagException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    /// The numbers at the start of a version, two or more.
    static List<Integer> numbers(String text) throws FlagException {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new FlagException("could not parse " + GoSyntax.quote(text) + " as version");
        }
        String[] parts = matcher.group(1).split("\\.", -1);
        if (parts.length < 2) {
            throw new FlagException("illegal version string " + GoSyntax.quote(text));
        }
        if (parts[0].startsWith("0") && !parts[0].equals("0")) {
            throw new FlagException(
                    "illegal zero-prefixed version component %s in %s"
                            .formatted(GoSyntax.quote(parts[0]), GoSyntax.quote(text)));
        }
        var numbers = new ArrayList<Integer>();
        for (String part : parts) {
            numbers.add(new BigInteger(part).min(LARGEST).intValue());
        }
        return numbers;
    }

    KubeVersion previous() {
        return new KubeVersion(major, Math.max(0, minor - 1));
    }

    @Override
    public int compareTo(KubeVersion other) {
        return major != other.major
                ? Integer.compare(major, other.major)
                : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
