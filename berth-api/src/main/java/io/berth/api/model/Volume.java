package io.berth.api.model;

import java.util.List;

/// A volume of a pod, as far as placing the pod depends on it.
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

    public record ConfigMap() implements Source {}

    public record Secret() implements Source {}

    /// An image mounted as a volume; it counts for image locality.
    public record Image(String reference) implements Source {}

    /// Any other source, by the name of its field, such as `azureDisk` or `emptyDir`.
    public record Other(String type) implements Source {}
}
