package io.berth.api.amount;

import io.berth.api.label.LabelSyntax;

/// What kind of resource a name means (contract rule H-2).
public final class ResourceName {
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
                && LabelSyntax.isKey("requests." + name);
    }

    /// Whether pod-level requests may name this resource.
    public static boolean isPodLevel(String name) {
        return name.equals(Resources.CPU)
                || name.equals(Resources.MEMORY)
                || name.startsWith("hugepages-");
    }
}
