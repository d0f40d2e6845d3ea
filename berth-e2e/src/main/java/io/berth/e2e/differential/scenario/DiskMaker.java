package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// Makes what volumes are made of: drivers' volumes, disks of clouds by their plugins of old, and
/// what pods name without a claim.
final class DiskMaker {
    private final Draw draw;

    DiskMaker(Draw draw) {
        this.draw = draw;
    }

    /// What a persistent volume is made of.
    ObjectNode source(String name) {
        return switch (draw.between(0, 9)) {
            case 0 -> Json.object("local", Json.object("path", "/mnt/" + name));
            case 1 -> Json.object("nfs", Json.object("server", "nfs.example.com", "path", "/"));
            case 2, 3 -> ofOld(name, false);
            default -> csi(name, draw.oneOf(StorageMaker.DRIVERS));
        };
    }

    ObjectNode csi(String name, String driver) {
        return Json.object(
                "csi",
                Json.object(
                        "driver",
                        driver,
                        "volumeHandle",
                        draw.percent(85) ? name : draw.oneOf("vol-1", "vol-2")));
    }

    /// A volume by a plugin of old; in a pod and as a volume it is written nearly alike.
    ObjectNode ofOld(String name, boolean isInline) {
        return switch (draw.between(0, 9)) {
            case 0, 1 -> aws(name);
            case 2, 3 -> Json.object("gcePersistentDisk", Json.object("pdName", name));
            case 4, 5 -> azureDisk(name, draw.percent(88));
            case 6 -> Json.object("cinder", Json.object("volumeID", name));
            case 7 -> Json.object("portworxVolume", Json.object("volumeID", name));
            case 8 -> Json.object("vsphereVolume", Json.object("volumePath", "[store] " + name));
            default ->
                    Json.object(
                            "azureFile",
                            Json.object(
                                    "secretName",
                                    "secret",
                                    "secretNamespace",
                                    isInline ? null : "red",
                                    "shareName",
                                    name));
        };
    }

    /// By its number, or by an address that is not always understood.
    private ObjectNode aws(String name) {
        var id =
                draw.percent(60)
                        ? name
                        : draw.oneOf("aws://za/vol-" + name, "aws:///vol-" + name, "aws://za/x");
        return Json.object("awsElasticBlockStore", Json.object("volumeID", id));
    }

    /// @param isManaged whether the driver can stand in for it
    private static ObjectNode azureDisk(String name, boolean isManaged) {
        return Json.object(
                "azureDisk",
                Json.object(
                        "diskName",
                        name,
                        "diskURI",
                        isManaged
                                ? "/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute"
                                        + "/disks/"
                                        + name
                                : "https://example.blob.core.windows.net/vhds/" + name + ".vhd",
                        "kind",
                        isManaged ? "Managed" : "Dedicated"));
    }

    /// What a pod on a node names itself. A driver can stand in for all of it: an error would be
    /// told of whichever node was asked first.
    ObjectNode inline() {
        boolean isReadOnly = draw.percent(40);
        var name = draw.oneOf("vol-1", "vol-2", "vol-3");
        return switch (draw.between(0, 6)) {
            case 0 ->
                    Json.object(
                            "rbd",
                            Json.object(
                                    "monitors",
                                    Json.array(draw.some(List.of("m1", "m2", "m3"), 1, 2)),
                                    "pool",
                                    draw.oneOf("rbd", "rbd", "fast"),
                                    "image",
                                    draw.oneOf("img-1", "img-2"),
                                    "readOnly",
                                    isReadOnly));
            case 1 ->
                    Json.object(
                            "iscsi",
                            Json.object(
                                    "targetPortal",
                                    "10.0.0.1:3260",
                                    "iqn",
                                    "iqn.2001-04.com.example:" + draw.oneOf("a", "b"),
                                    "lun",
                                    draw.between(0, 1),
                                    "readOnly",
                                    isReadOnly));
            case 2, 3 ->
                    Json.object(
                            "awsElasticBlockStore",
                            Json.object("volumeID", name, "readOnly", isReadOnly));
            case 4, 5 ->
                    Json.object(
                            "gcePersistentDisk",
                            Json.object("pdName", name, "readOnly", isReadOnly));
            default ->
                    draw.percent(50)
                            ? azureDisk(name, true)
                            : Json.object("cinder", Json.object("volumeID", name));
        };
    }
}
