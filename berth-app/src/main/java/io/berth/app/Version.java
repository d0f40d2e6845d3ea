package io.berth.app;

import java.util.Objects;

/// What this program is, and which kube-scheduler it behaves like.
public final class Version {
    /// The release of kube-scheduler whose behaviour Berth follows.
    public static final String KUBERNETES = "v1.36.4";

    private Version() {}

    /// Berth's own version, from the jar's manifest.
    public static String berth() {
        return Objects.requireNonNullElse(
                Version.class.getPackage().getImplementationVersion(), "development");
    }

    static String text() {
        return """
        Berth       %s
        Kubernetes  %s (behaves as this kube-scheduler)
        Java        %s (%s)
        """
                .formatted(
                        berth(), KUBERNETES, Runtime.version(), System.getProperty("java.vm.name"));
    }
}
