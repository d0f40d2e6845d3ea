package io.berth.bench.load;

/// What the pods of a workload keep their data on: nothing, or one claim each.
enum Storage {
    NONE,
    /// Claims that are bound to volumes of a driver.
    BOUND,
    /// Claims that are bound to volumes of a plugin of old, which a driver has taken over.
    MIGRATED,
    /// Claims that wait for their pod, of a driver that tells how much room it has.
    WAITING;

    static final String DRIVER = "csi.example.com";
    static final String MIGRATED_DRIVER = "ebs.csi.aws.com";
    static final String CLASS = "load";

    boolean isBound() {
        return this == BOUND || this == MIGRATED;
    }

    /// A claim for a pod.
    String claim(String name, String volume) {
        String annotations =
                isBound() ? ",\"annotations\":{\"pv.kubernetes.io/bind-completed\":\"yes\"}" : "";
        String bound = isBound() ? "\"volumeName\":\"" + volume + "\"," : "";
        return """
        {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"%s"%s},
         "spec":{%s"accessModes":["ReadWriteOnce"],"storageClassName":"%s",
          "resources":{"requests":{"storage":"1Gi"}}}}
        """
                .formatted(name, annotations, bound, CLASS);
    }

    /// The volume of a claim.
    ///
    /// @param uid of the claim; empty where nobody asks for it
    String volume(String name, String namespace, String claim, String uid) {
        String source =
                this == MIGRATED
                        ? "\"awsElasticBlockStore\":{\"volumeID\":\"%s\"}".formatted(name)
                        : "\"csi\":{\"driver\":\"%s\",\"volumeHandle\":\"%s\"}"
                                .formatted(DRIVER, name);
        String own = uid.isEmpty() ? "" : ",\"uid\":\"" + uid + "\"";
        return """
        {"apiVersion":"v1","kind":"PersistentVolume",
         "metadata":{"name":"%s","labels":{"load":"%s"}},
         "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
          "storageClassName":"%s","persistentVolumeReclaimPolicy":"Retain",
          "claimRef":{"namespace":"%s","name":"%s"%s},%s}}
        """
                .formatted(name, namespace, CLASS, namespace, claim, own, source);
    }

    static String storageClass() {
        return """
        {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"%s"},
         "provisioner":"%s","volumeBindingMode":"WaitForFirstConsumer"}
        """
                .formatted(CLASS, DRIVER);
    }

    static String driver() {
        return """
        {"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","metadata":{"name":"%s"},
         "spec":{"storageCapacity":true}}
        """
                .formatted(DRIVER);
    }

    /// Both drivers, with the limits of real ones.
    static String csiNode(int i) {
        return """
        {"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{"name":"node-%1$d",
          "annotations":{"storage.alpha.kubernetes.io/migrated-plugins":"kubernetes.io/aws-ebs"}},
         "spec":{"drivers":[
          {"name":"%2$s","nodeID":"node-%1$d","allocatable":{"count":39}},
          {"name":"%3$s","nodeID":"node-%1$d","allocatable":{"count":39}}]}}
        """
                .formatted(i, DRIVER, MIGRATED_DRIVER);
    }

    static String capacity(int zone) {
        return """
        {"apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity",
         "metadata":{"name":"zone-%1$d"},"storageClassName":"%2$s","capacity":"100Ti",
         "nodeTopology":{"matchLabels":{"topology.kubernetes.io/zone":"zone-%1$d"}}}
        """
                .formatted(zone, CLASS);
    }
}
