package io.berth.kube.codec.kind;

import io.berth.kube.codec.wire.Schema;

/// The numbers of the fields that the readers of this package ask for by name, as the API's
/// published protobuf definitions (`generated.proto` of v1.36) have them. They never change; a
/// field that a reader newly asks for is added here.
public final class Schemas {
    public static final Schema LIST_META =
            new Schema().with(2, "resourceVersion").with(3, "continue");

    private static final Schema OWNER =
            new Schema()
                    .with(1, "kind")
                    .with(3, "name")
                    .with(4, "uid")
                    .with(5, "apiVersion")
                    .with(6, "controller");
    private static final Schema METADATA =
            new Schema()
                    .with(1, "name")
                    .with(3, "namespace")
                    .with(5, "uid")
                    .with(6, "resourceVersion")
                    .with(7, "generation")
                    .withTime(8, "creationTimestamp")
                    .withTime(9, "deletionTimestamp")
                    .withLabels(11, "labels")
                    .withLabels(12, "annotations")
                    .withList(13, "ownerReferences", OWNER)
                    .withList(14, "finalizers");

    // Selectors of labels and of nodes have requirements of one form.
    private static final Schema REQUIREMENT =
            new Schema().with(1, "key").with(2, "operator").withList(3, "values");
    static final Schema LABEL_SELECTOR =
            new Schema().withLabels(1, "matchLabels").withList(2, "matchExpressions", REQUIREMENT);
    private static final Schema NODE_TERM =
            new Schema()
                    .withList(1, "matchExpressions", REQUIREMENT)
                    .withList(2, "matchFields", REQUIREMENT);
    static final Schema NODE_SELECTOR = new Schema().withList(1, "nodeSelectorTerms", NODE_TERM);

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final Schema NODE_AFFINITY =
            new Schema()
                    .with(1, REQUIRED, NODE_SELECTOR)
                    .withList(
                            2,
                            PREFERRED,
                            new Schema().with(1, "weight").with(2, "preference", NODE_TERM));
    private static final Schema POD_TERM =
            new Schema()
                    .with(1, "labelSelector", LABEL_SELECTOR)
                    .withList(2, "namespaces")
                    .with(3, "topologyKey")
                    .with(4, "namespaceSelector", LABEL_SELECTOR);
    private static final Schema POD_AFFINITY =
            new Schema()
                    .withList(1, REQUIRED, POD_TERM)
                    .withList(
                            2,
                            PREFERRED,
                            new Schema().with(1, "weight").with(2, "podAffinityTerm", POD_TERM));
    private static final Schema AFFINITY =
            new Schema()
                    .with(1, "nodeAffinity", NODE_AFFINITY)
                    .with(2, "podAffinity", POD_AFFINITY)
                    .with(3, "podAntiAffinity", POD_AFFINITY);

    private static final Schema RESOURCES =
            new Schema().withAmounts(1, "limits").withAmounts(2, "requests");
    private static final Schema CONTAINER =
            new Schema()
                    .with(1, "name")
                    .with(2, "image")
                    .withList(
                            6,
                            "ports",
                            new Schema().with(2, "hostPort").with(4, "protocol").with(5, "hostIP"))
                    .with(8, "resources", RESOURCES)
                    .with(24, "restartPolicy")
                    .withList(25, "restartPolicyRules", new Schema().with(1, "action"));
    private static final Schema TOLERATION =
            new Schema().with(1, "key").with(2, "operator").with(3, "value").with(4, "effect");
    private static final Schema SPREAD =
            new Schema()
                    .with(1, "maxSkew")
                    .with(2, "topologyKey")
                    .with(3, "whenUnsatisfiable")
                    .with(4, "labelSelector", LABEL_SELECTOR)
                    .with(5, "minDomains")
                    .with(6, "nodeAffinityPolicy")
                    .with(7, "nodeTaintsPolicy")
                    .withList(8, "matchLabelKeys");
    private static final Schema NAMED = new Schema().with(1, "name");

    static final Schema AZURE_DISK =
            new Schema().with(1, "diskName").with(2, "diskURI").with(6, "kind");
    private static final Schema VOLUME_SOURCE =
            new Schema()
                    .with(1, "hostPath")
                    .with(2, "emptyDir")
                    .with(
                            3,
                            "gcePersistentDisk",
                            new Schema().with(1, "pdName").with(4, "readOnly"))
                    .with(
                            4,
                            "awsElasticBlockStore",
                            new Schema().with(1, "volumeID").with(4, "readOnly"))
                    .with(5, "gitRepo")
                    .with(6, "secret")
                    .with(7, "nfs")
                    .with(8, "iscsi", new Schema().with(2, "iqn").with(6, "readOnly"))
                    .with(9, "glusterfs")
                    .with(
                            10,
                            "persistentVolumeClaim",
                            new Schema().with(1, "claimName").with(2, "readOnly"))
                    .with(
                            11,
                            "rbd",
                            new Schema()
                                    .withList(1, "monitors")
                                    .with(2, "image")
                                    .with(4, "pool")
                                    .with(8, "readOnly"))
                    .with(12, "flexVolume")
                    .with(13, "cinder", new Schema().with(1, "volumeID"))
                    .with(14, "cephfs")
                    .with(15, "flocker")
                    .with(16, "downwardAPI")
                    .with(17, "fc")
                    .with(18, "azureFile")
                    .with(19, "configMap")
                    .with(20, "vsphereVolume", new Schema().with(1, "volumePath"))
                    .with(21, "quobyte")
                    .with(22, "azureDisk", AZURE_DISK)
                    .with(23, "photonPersistentDisk")
                    .with(24, "portworxVolume", new Schema().with(1, "volumeID"))
                    .with(25, "scaleIO")
                    .with(26, "projected")
                    .with(27, "storageos")
                    .with(28, "csi", new Schema().with(1, "driver"))
                    .with(29, "ephemeral")
                    .with(30, "image", new Schema().with(1, "reference"));
    private static final Schema VOLUME = new Schema().with(1, "name").withInline(2, VOLUME_SOURCE);

    private static final Schema POD_SPEC =
            new Schema()
                    .withList(1, "volumes", VOLUME)
                    .withList(2, "containers", CONTAINER)
                    .withLabels(7, "nodeSelector")
                    .with(10, "nodeName")
                    .with(11, "hostNetwork")
                    .with(18, "affinity", AFFINITY)
                    .with(19, "schedulerName")
                    .withList(20, "initContainers", CONTAINER)
                    .withList(22, "tolerations", TOLERATION)
                    .with(25, "priority")
                    .with(31, "preemptionPolicy")
                    .withAmounts(32, "overhead")
                    .withList(33, "topologySpreadConstraints", SPREAD)
                    .with(37, "hostUsers")
                    .withList(38, "schedulingGates", NAMED)
                    .withList(
                            39,
                            "resourceClaims",
                            new Schema()
                                    .with(1, "name")
                                    .with(3, "resourceClaimName")
                                    .with(4, "resourceClaimTemplateName"))
                    .with(40, "resources", RESOURCES);

    private static final Schema POD_CONDITION =
            new Schema()
                    .with(1, "type")
                    .with(2, "status")
                    .withTime(3, "lastProbeTime")
                    .withTime(4, "lastTransitionTime")
                    .with(5, "reason")
                    .with(6, "message");
    private static final Schema CONTAINER_STATUS =
            new Schema()
                    .with(1, "name")
                    .withAmounts(10, "allocatedResources")
                    .with(11, "resources", RESOURCES);
    private static final Schema EXTENDED_CLAIM =
            new Schema()
                    .withList(
                            1,
                            "requestMappings",
                            new Schema()
                                    .with(1, "containerName")
                                    .with(2, "resourceName")
                                    .with(3, "requestName"))
                    .with(2, "resourceClaimName");
    private static final Schema POD_STATUS =
            new Schema()
                    .with(1, "phase")
                    .withList(2, "conditions", POD_CONDITION)
                    .withTime(7, "startTime")
                    .withList(8, "containerStatuses", CONTAINER_STATUS)
                    .withList(10, "initContainerStatuses", CONTAINER_STATUS)
                    .with(11, "nominatedNodeName")
                    .withList(
                            15,
                            "resourceClaimStatuses",
                            new Schema().with(1, "name").with(2, "resourceClaimName"))
                    .with(18, "extendedResourceClaimStatus", EXTENDED_CLAIM)
                    .withAmounts(19, "allocatedResources")
                    .with(20, "resources", RESOURCES);

    private static final Schema NODE_SPEC =
            new Schema()
                    .with(4, "unschedulable")
                    .withList(
                            5,
                            "taints",
                            new Schema().with(1, "key").with(2, "value").with(3, "effect"));
    private static final Schema NODE_STATUS =
            new Schema()
                    .withAmounts(2, "allocatable")
                    .withList(4, "conditions", new Schema().with(1, "type").with(2, "status"))
                    .withList(8, "images", new Schema().withList(1, "names").with(2, "sizeBytes"))
                    .withList(14, "declaredFeatures");

    public static final Schema BUDGET_STATUS =
            new Schema()
                    .withMap(2, "disruptedPods", Schema.Form.TIME)
                    .with(3, "disruptionsAllowed");

    public static final Schema SELECTING = new Schema().with(2, "selector", LABEL_SELECTOR);

    public static final Schema POD = object(POD_SPEC, POD_STATUS);
    public static final Schema NODE = object(NODE_SPEC, NODE_STATUS);

    private Schemas() {}

    /// An object without a status.
    public static Schema object(Schema spec) {
        return new Schema().with(1, "metadata", METADATA).with(2, "spec", spec);
    }

    public static Schema object(Schema spec, Schema status) {
        return object().with(2, "spec", spec).with(3, "status", status);
    }

    /// An object of which only the metadata is read so far.
    static Schema object() {
        return new Schema().with(1, "metadata", METADATA);
    }
}
