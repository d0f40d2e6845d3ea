package io.berth.api.spec;

import java.util.List;

/// A volume of a pod, as far as placing the pod depends on it. Persistent volumes share its
/// sources.
public record Volume(String name, Source source) {
    /// Where a volume's data comes from.
    public sealed interface Source {}

    public record Claim(String claimName, boolean readOnly) implements Source {}

    /// A claim made for this pod alone, named `<pod>-<volume>`.
    public record Ephemeral() implements Source {}

    public record GcePersistentDisk(String name, boolean readOnly) implements Source {}

    public record AwsElasticBlockStore(String volumeId, boolean readOnly) implements Source {}

    public record Rbd(List<String> monitors, String pool, String image, boolean readOnly)
            implements Source {
        public Rbd {
            monitors = List.copyOf(monitors);
        }
    }

    public record Iscsi(String iqn, boolean readOnly) implements Source {}

    /// @param kind `Managed` where absent
    public record AzureDisk(String name, String uri, String kind) implements Source {
        public static final String MANAGED = "Managed";
    }

    public record AzureFile() implements Source {}

    public record Cinder(String volumeId) implements Source {}

    public record Portworx(String volumeId) implements Source {}

    public record Vsphere(String path) implements Source {}

    /// @param handle of a persistent volume; empty for a volume made for a pod alone
    public record Csi(String driver, String handle) implements Source {}

    public record ConfigMap() implements Source {}

    public record Secret() implements Source {}

    /// An image mounted as a volume; it counts for image locality.
    public record Image(String reference) implements Source {}

    /// Any other source, by the name of its field, such as `nfs` or `emptyDir`.
    public record Other(String type) implements Source {}
}
