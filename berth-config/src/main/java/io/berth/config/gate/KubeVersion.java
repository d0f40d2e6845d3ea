package io.berth.config.gate;

/// A version of Kubernetes, as far as features depend on it: major and minor.
public record KubeVersion(int major, int minor) implements Comparable<KubeVersion> {
    /// Reads `1.36`.
    static KubeVersion of(String text) {
        int point = text.indexOf('.');
        return new KubeVersion(
                Integer.parseInt(text.substring(0, point)),
                Integer.parseInt(text.substring(point + 1)));
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
