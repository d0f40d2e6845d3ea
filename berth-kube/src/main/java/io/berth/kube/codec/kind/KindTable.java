package io.berth.kube.codec.kind;

import static java.util.Map.entry;

import io.berth.api.model.Kind;
import io.berth.kube.codec.wire.Schema;
import java.util.Map;
import java.util.function.Supplier;

/// The kinds that have readers of their own, a line each. All others are read as trees.
public final class KindTable {
    /// How one kind is read.
    ///
    /// @param schema which numbers the fields have in protobuf
    /// @param reader makes one for a stream
    public record Line(Schema schema, Supplier<KindReader> reader) {}

    private static final Map<Kind, Line> LINES =
            Map.ofEntries(
                    entry(Kind.POD, new Line(Schemas.POD, PodReader::new)),
                    entry(Kind.NODE, new Line(Schemas.NODE, NodeReader::new)),
                    entry(Kind.NAMESPACE, new Line(NamespaceReader.SCHEMA, NamespaceReader::new)),
                    entry(Kind.SERVICE, new Line(ServiceReader.SCHEMA, ServiceReader::new)),
                    entry(
                            Kind.REPLICATION_CONTROLLER,
                            new Line(
                                    ServiceReader.SCHEMA,
                                    () -> new PodControllerReader(Kind.REPLICATION_CONTROLLER))),
                    entry(
                            Kind.REPLICA_SET,
                            new Line(
                                    PodControllerReader.SCHEMA,
                                    () -> new PodControllerReader(Kind.REPLICA_SET))),
                    entry(
                            Kind.STATEFUL_SET,
                            new Line(
                                    PodControllerReader.SCHEMA,
                                    () -> new PodControllerReader(Kind.STATEFUL_SET))),
                    entry(
                            Kind.POD_DISRUPTION_BUDGET,
                            new Line(BudgetReader.SCHEMA, BudgetReader::new)),
                    entry(
                            Kind.PERSISTENT_VOLUME,
                            new Line(PersistentVolumeReader.SCHEMA, PersistentVolumeReader::new)),
                    entry(
                            Kind.PERSISTENT_VOLUME_CLAIM,
                            new Line(
                                    PersistentVolumeClaimReader.SCHEMA,
                                    PersistentVolumeClaimReader::new)),
                    entry(
                            Kind.STORAGE_CLASS,
                            new Line(StorageClassReader.SCHEMA, StorageClassReader::new)),
                    entry(Kind.CSI_NODE, new Line(CsiNodeReader.SCHEMA, CsiNodeReader::new)),
                    entry(Kind.CSI_DRIVER, new Line(CsiDriverReader.SCHEMA, CsiDriverReader::new)),
                    entry(
                            Kind.CSI_STORAGE_CAPACITY,
                            new Line(
                                    CsiStorageCapacityReader.SCHEMA,
                                    CsiStorageCapacityReader::new)),
                    entry(
                            Kind.VOLUME_ATTACHMENT,
                            new Line(VolumeAttachmentReader.SCHEMA, VolumeAttachmentReader::new)),
                    entry(
                            Kind.RESOURCE_CLAIM,
                            new Line(DeviceSchemas.CLAIM, ResourceClaimReader::new)),
                    entry(
                            Kind.RESOURCE_SLICE,
                            new Line(DeviceSchemas.SLICE, ResourceSliceReader::new)),
                    entry(
                            Kind.DEVICE_CLASS,
                            new Line(DeviceSchemas.CLASS, DeviceClassReader::new)));

    private KindTable() {}

    /// Whether a kind has a reader of its own, which reads protobuf, too.
    public static boolean has(Kind kind) {
        return LINES.containsKey(kind);
    }

    public static Line of(Kind kind) {
        var line = LINES.get(kind);
        return line != null ? line : new Line(new Schema(), () -> new CustomReader(kind));
    }
}
