package io.berth.plugins.nodevolumelimits;

import io.berth.api.column.NodeView;
import io.berth.api.label.Labels;
import io.berth.api.model.CsiNode;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.spec.Volume;
import io.berth.plugins.volume.VolumeWorld;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The rules VL-2 to VL-8 as they are written, counted anew for each question. Answers in words:
/// empty for a node that will do, the reason for one that will not, `error: …` for an error.
final class PlainLimits {
    private static final Map<String, String> PLUGINS =
            Map.of(
                    "kubernetes.io/aws-ebs", "ebs.csi.aws.com",
                    "kubernetes.io/gce-pd", "pd.csi.storage.gke.io",
                    "kubernetes.io/azure-disk", "disk.csi.azure.com",
                    "kubernetes.io/azure-file", "file.csi.azure.com");

    private final VolumeWorld world;
    private final boolean isScaling;

    PlainLimits(VolumeWorld world, boolean isScaling) {
        this.world = world;
        this.isScaling = isScaling;
    }

    private static final class Answer extends Exception {
        private static final long serialVersionUID = 1;

        Answer(String text) {
            super(text);
        }
    }

    String judge(Pod pod, NodeView node) {
        try {
            check(pod, node);
            return "";
        } catch (Answer answer) {
            return Objects.requireNonNull(answer.getMessage());
        }
    }

    private void check(Pod pod, NodeView node) throws Answer {
        var csiNode = world.csiNodes.get(node.name());
        var fresh = new HashMap<String, String>();
        collect(pod, csiNode != null, true, fresh);
        if (fresh.isEmpty()) {
            return;
        }
        if (isScaling) {
            for (var driver : new TreeSet<>(fresh.values())) {
                var known = world.drivers.get(driver);
                if (known != null
                        && known.preventsSchedulingIfMissing()
                        && (csiNode == null || csiNode.driver(driver) == null)) {
                    throw new Answer(driver + " CSI driver is not installed on the node");
                }
            }
        }
        if (csiNode == null || csiNode.drivers().stream().noneMatch(CsiNode.Driver::isLimited)) {
            return;
        }
        var mounted = new HashMap<String, String>();
        for (var other : node.pods()) {
            collect(other, true, false, mounted);
        }
        var all = new HashMap<>(mounted);
        for (var attachment : world.attachments.values()) {
            var volume = world.volumes.get(attachment.volumeName());
            if (attachment.nodeName().equals(node.name())
                    && !attachment.attacher().isEmpty()
                    && volume != null
                    && volume.source() instanceof Volume.Csi csi) {
                all.put(attachment.attacher() + "/" + csi.handle(), attachment.attacher());
            }
        }
        fresh.keySet().removeAll(mounted.keySet());
        for (var driver : csiNode.drivers()) {
            long more = count(fresh, driver.name());
            if (driver.isLimited()
                    && more > 0
                    && count(all, driver.name()) + more > driver.count()) {
                throw new Answer("node(s) exceed max volume count");
            }
        }
    }

    private static long count(Map<String, String> volumes, String driver) {
        return volumes.values().stream().filter(driver::equals).count();
    }

    private void collect(Pod pod, boolean isMigrating, boolean isNew, Map<String, String> into)
            throws Answer {
        for (var volume : pod.spec().volumes()) {
            switch (volume.source()) {
                case Volume.Claim claim ->
                        collect(pod, claim.claimName(), false, isMigrating, isNew, into);
                case Volume.Ephemeral _ ->
                        collect(
                                pod,
                                pod.name() + "-" + volume.name(),
                                true,
                                isMigrating,
                                isNew,
                                into);
                default -> {
                    if (isMigrating) {
                        translate(volume.source(), Labels.EMPTY, volume.name(), into);
                    }
                }
            }
        }
    }

    private void collect(
            Pod pod,
            String name,
            boolean isEphemeral,
            boolean isMigrating,
            boolean isNew,
            Map<String, String> into)
            throws Answer {
        var claim = world.claim(pod, name);
        if (claim == null) {
            if (isNew) {
                throw new Answer(
                        "looking up PVC %s/%s: persistentvolumeclaim \"%s\" not found"
                                .formatted(pod.namespace(), name, name));
            }
            return;
        }
        if (isEphemeral && !claim.controllerUid().equals(pod.uid())) {
            throw new Answer(
                    "error: PVC %s was not created for pod %s (pod is not owner)"
                            .formatted(claim.key(), pod.key()));
        }
        var volume = world.volumes.get(claim.volumeName());
        if (volume == null) {
            ofClass(claim, isMigrating, into);
        } else if (volume.source() instanceof Volume.Csi csi) {
            put(csi.driver(), csi.handle(), into);
        } else if (isMigrating) {
            translate(volume.source(), volume.labels(), null, into);
        }
    }

    private void ofClass(
            PersistentVolumeClaim claim, boolean isMigrating, Map<String, String> into) {
        var found = world.classes.get(claim.storageClass());
        if (found == null) {
            return;
        }
        var driver = PLUGINS.get(found.provisioner());
        String handle = "prefix-" + claim.key();
        if (driver == null) {
            put(found.provisioner(), handle, into);
        } else if (isMigrating && !driver.startsWith("file")) {
            put(driver, handle, into);
        }
    }

    private static void put(String driver, String handle, Map<String, String> into) {
        if (!driver.isEmpty() && !handle.isEmpty()) {
            into.put(driver + "/" + handle, driver);
        }
    }

    /// @param inline the name of a pod's own volume, of which a failure is told; null for others
    private static void translate(
            Volume.Source source, Labels labels, @Nullable String inline, Map<String, String> into)
            throws Answer {
        String problem = null;
        switch (source) {
            case Volume.AwsElasticBlockStore disk -> {
                var id = disk.volumeId();
                if (id.startsWith("aws://")) {
                    id = id.substring(id.lastIndexOf('/', id.length() - 2) + 1);
                }
                if (disk.volumeId().equals("aws://a/vol/1")) {
                    problem =
                            "failed to translate Kubernetes ID to EBS Volume ID Invalid format for"
                                    + " AWS volume (aws://a/vol/1)";
                } else {
                    put("ebs.csi.aws.com", id, into);
                }
            }
            case Volume.GcePersistentDisk disk ->
                    put("pd.csi.storage.gke.io", gce(disk.name(), labels), into);
            case Volume.AzureDisk disk -> {
                if (disk.kind().equals("managed")) {
                    put("disk.csi.azure.com", disk.uri(), into);
                } else {
                    problem = "kind(Dedicated) is not supported in csi migration";
                }
            }
            default -> {}
        }
        if (problem != null && inline != null) {
            throw new Answer(
                    "error: converting volume(%s) from inline to csi: %s"
                            .formatted(inline, problem));
        }
    }

    private static String gce(String disk, Labels labels) {
        var old = labels.value("failure-domain.beta.kubernetes.io/zone");
        var zone = labels.value("topology.kubernetes.io/zone");
        var label = old != null && !old.isEmpty() ? old : zone == null ? "" : zone;
        if (label.isEmpty()) {
            return "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/" + disk;
        }
        if (!label.contains("__")) {
            return "projects/UNSPECIFIED/zones/" + label + "/disks/" + disk;
        }
        return label.equals("eu-1-a__eu-1-b")
                ? "projects/UNSPECIFIED/regions/eu-1/disks/" + disk
                : "";
    }
}
