package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Makes what a cluster has for storage: classes, drivers, their limits and their room, and what is
/// attached already.
public final class StorageMaker {
    public static final String PLAIN_DRIVER = "plain.example.com";
    static final String CAPACITY_DRIVER = "room.example.com";

    /// Drivers whose volumes are counted, those of taken-over plugins among them.
    static final List<String> DRIVERS =
            List.of(
                    PLAIN_DRIVER,
                    CAPACITY_DRIVER,
                    "ebs.csi.aws.com",
                    "pd.csi.storage.gke.io",
                    "disk.csi.azure.com",
                    "cinder.csi.openstack.org",
                    "pxd.portworx.com",
                    "csi.vsphere.vmware.com",
                    "file.csi.azure.com");

    static final List<String> PLUGINS =
            List.of(
                    "kubernetes.io/aws-ebs",
                    "kubernetes.io/gce-pd",
                    "kubernetes.io/azure-disk",
                    "kubernetes.io/azure-file",
                    "kubernetes.io/cinder",
                    "kubernetes.io/portworx-volume",
                    "kubernetes.io/vsphere-volume");

    /// Classes whose claims wait for a pod.
    static final List<String> DELAYED =
            List.of("wait", "wait", "zonal", "room", "room", "local", "local", "ebs", "gce");

    /// Those of them whose volumes plugins of old made.
    static final List<String> CLASSES_OF_OLD =
            List.of("ebs", "gce", "azure", "cinder", "portworx", "vsphere");

    static final String IMMEDIATE = "immediate";

    private final Draw draw;
    private final List<String> nodeNames;

    StorageMaker(Draw draw, List<String> nodeNames) {
        this.draw = draw;
        this.nodeNames = nodeNames;
    }

    List<ObjectNode> storage() {
        var all = new ArrayList<ObjectNode>();
        addClass(all, IMMEDIATE, PLAIN_DRIVER, "Immediate");
        addClass(all, "wait", PLAIN_DRIVER, "WaitForFirstConsumer");
        addClass(all, "zonal", draw.oneOf(PLAIN_DRIVER, CAPACITY_DRIVER), "WaitForFirstConsumer");
        addClass(all, "room", CAPACITY_DRIVER, "WaitForFirstConsumer");
        addClass(all, "local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer");
        addClass(all, "ebs", "kubernetes.io/aws-ebs", "WaitForFirstConsumer");
        addClass(all, "gce", "kubernetes.io/gce-pd", "WaitForFirstConsumer");
        addClass(all, "azure", "kubernetes.io/azure-disk", "WaitForFirstConsumer");
        addClass(all, "cinder", "kubernetes.io/cinder", "WaitForFirstConsumer");
        addClass(all, "portworx", "kubernetes.io/portworx-volume", "WaitForFirstConsumer");
        addClass(all, "vsphere", "kubernetes.io/vsphere-volume", "WaitForFirstConsumer");
        addClass(all, "tight", CAPACITY_DRIVER, "WaitForFirstConsumer");
        for (var driver : DRIVERS) {
            if (draw.percent(driver.equals(CAPACITY_DRIVER) ? 95 : 50)) {
                all.add(driver(driver));
            }
        }
        for (var node : nodeNames) {
            if (draw.percent(85)) {
                all.add(csiNode(node));
            }
        }
        for (int i = draw.between(0, 5); i > 0; i--) {
            all.add(capacity("room-" + i));
        }
        for (int i = draw.between(0, 8); i > 0; i--) {
            all.add(attachment("attachment-" + i));
        }
        return all;
    }

    private void addClass(List<ObjectNode> all, String name, String provisioner, String mode) {
        boolean isChoosy = name.equals("zonal") || draw.percent(10);
        if (draw.percent(92)) {
            all.add(
                    Json.object(
                            "apiVersion",
                            "storage.k8s.io/v1",
                            "kind",
                            "StorageClass",
                            "metadata",
                            Json.object("name", name),
                            "provisioner",
                            provisioner,
                            "volumeBindingMode",
                            mode,
                            "allowedTopologies",
                            isChoosy ? Json.array(topologies()) : null));
        }
    }

    private List<ObjectNode> topologies() {
        var terms = new ArrayList<ObjectNode>();
        for (int i = draw.between(1, 2); i > 0; i--) {
            var requirements = new ArrayList<ObjectNode>();
            requirements.add(
                    Json.object(
                            "key",
                            Vocabulary.ZONE,
                            "values",
                            Json.array(draw.some(Vocabulary.ZONES, 1, 2))));
            if (draw.percent(25)) {
                requirements.add(
                        Json.object(
                                "key",
                                draw.oneOf("disk", Vocabulary.HOSTNAME),
                                "values",
                                Json.array("ssd", draw.oneOf(nodeNames))));
            }
            var term = Json.object("matchLabelExpressions", Json.array(requirements));
            if (!terms.contains(term)) {
                terms.add(term);
            }
        }
        return terms;
    }

    private ObjectNode driver(String name) {
        return Json.object(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "CSIDriver",
                "metadata",
                Json.object("name", name),
                "spec",
                Json.object(
                        "storageCapacity",
                        name.equals(CAPACITY_DRIVER) ? draw.percent(90) : null,
                        "preventPodSchedulingIfMissing",
                        draw.percent(40) ? true : null));
    }

    private ObjectNode csiNode(String name) {
        var drivers = new ArrayList<ObjectNode>();
        for (var driver : DRIVERS) {
            if (draw.percent(60)) {
                drivers.add(
                        Json.object(
                                "name",
                                driver,
                                "nodeID",
                                name,
                                "allocatable",
                                draw.percent(75)
                                        ? Json.object("count", draw.between(0, 3))
                                        : null));
            }
        }
        var plugins =
                draw.some(PLUGINS, draw.percent(30) ? 0 : PLUGINS.size(), PLUGINS.size()).stream()
                        .sorted()
                        .collect(Collectors.joining(","));
        return Json.object(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "CSINode",
                "metadata",
                Json.object(
                        "name",
                        name,
                        "annotations",
                        draw.percent(80)
                                ? Json.object(
                                        "storage.alpha.kubernetes.io/migrated-plugins", plugins)
                                : null),
                "spec",
                Json.object("drivers", Json.array(drivers)));
    }

    private ObjectNode capacity(String name) {
        return capacity(
                name,
                draw.oneOf(Vocabulary.NAMESPACES),
                draw.oneOf("room", "room", "room", "zonal", "wait"),
                draw.percent(85) ? draw.oneOf("0", "3Gi", "10Gi", "100Gi") : null,
                draw.percent(30) ? draw.oneOf("2Gi", "8Gi", "50Gi") : null);
    }

    /// Room of the class `tight` that is about enough for a volume of a size.
    ObjectNode capacityAbout(String name, String namespace, int mebibytes) {
        boolean isEnough = draw.percent(50);
        return capacity(
                name,
                namespace,
                "tight",
                draw.percent(90) ? about(mebibytes, isEnough == draw.percent(30)) : null,
                draw.percent(75) ? about(mebibytes, isEnough) : null);
    }

    private String about(int mebibytes, boolean isEnough) {
        return (isEnough
                        ? draw.oneOf(mebibytes, mebibytes + 1, 2 * mebibytes)
                        : draw.oneOf(1, mebibytes / 2, mebibytes - 1))
                + "Mi";
    }

    private ObjectNode capacity(
            String name,
            String namespace,
            String storageClass,
            @Nullable String capacity,
            @Nullable String largest) {
        return Json.object(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "CSIStorageCapacity",
                "metadata",
                Json.object("namespace", namespace, "name", name),
                "storageClassName",
                storageClass,
                "nodeTopology",
                draw.percent(92) ? topology() : null,
                "capacity",
                capacity,
                "maximumVolumeSize",
                largest);
    }

    private ObjectNode topology() {
        return switch (draw.between(0, 3)) {
            case 0 -> Json.object();
            case 1 ->
                    Json.object(
                            "matchLabels", Json.object(Vocabulary.HOSTNAME, draw.oneOf(nodeNames)));
            case 2 ->
                    Json.object(
                            "matchExpressions",
                            Json.array(
                                    Json.object(
                                            "key",
                                            Vocabulary.ZONE,
                                            "operator",
                                            draw.oneOf("In", "NotIn"),
                                            "values",
                                            Json.array(draw.some(Vocabulary.ZONES, 1, 2)))));
            default ->
                    Json.object(
                            "matchLabels",
                            Json.object(Vocabulary.ZONE, draw.oneOf(Vocabulary.ZONES)));
        };
    }

    /// A volume of a namespace's claims.
    private String attached(String namespace) {
        return draw.percent(30)
                ? VolumeMaker.SOLO + "-" + namespace
                : "base-" + namespace + "-" + draw.between(1, VolumeMaker.BASE_CLAIMS);
    }

    private ObjectNode attachment(String name) {
        return attachment(
                name,
                draw.percent(60) ? PLAIN_DRIVER : draw.oneOf(DRIVERS),
                draw.oneOf(nodeNames),
                draw.percent(90) ? attached(draw.oneOf(Vocabulary.NAMESPACES)) : "gone");
    }

    ObjectNode attachment(String name, String driver, String node, String volume) {
        return Json.object(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "VolumeAttachment",
                "metadata",
                Json.object("name", name),
                "spec",
                Json.object(
                        "attacher",
                        driver,
                        "nodeName",
                        node,
                        "source",
                        Json.object("persistentVolumeName", volume)));
    }
}
