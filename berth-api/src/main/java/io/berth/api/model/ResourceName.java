package io.berth.api.model;

import java.util.regex.Pattern;

/// What kind of resource a name means (contract rule H-2).
public final class ResourceName {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern DNS_SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private ResourceName() {}

    /// Whether the scheduler counts a resource of this name that is none of the four built-in ones.
    public static boolean isScalar(String name) {
        return name.contains("kubernetes.io/")
                || name.startsWith("hugepages-")
                || name.startsWith("attachable-volumes-")
                || isExtended(name);
    }

    /// A resource outside the kubernetes.io domain, such as `example.com/gpu`.
    public static boolean isExtended(String name) {
        return name.contains("/")
                && !name.contains("kubernetes.io/")
                && !name.startsWith("requests.")
                && isQualified("requests." + name);
    }

    /// Whether pod-level requests may name this resource.
    public static boolean isPodLevel(String name) {
        return name.equals(Resources.CPU)
                || name.equals(Resources.MEMORY)
                || name.startsWith("hugepages-");
    }

    private static boolean isQualified(String name) {
        int slash = name.indexOf('/');
        String prefix = name.substring(0, Math.max(slash, 0));
        String rest = name.substring(slash + 1);
        if (rest.contains("/") || rest.length() > 63 || !NAME.matcher(rest).matches()) {
            return false;
        }
        return slash < 0 || prefix.length() <= 253 && DNS_SUBDOMAIN.matcher(prefix).matches();
    }
}
