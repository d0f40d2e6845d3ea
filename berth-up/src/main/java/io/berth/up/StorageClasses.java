package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.Controllers;
import java.util.List;

/// The storage classes of `berth up`: `standard`, whose volumes are made in the zone of the pod
/// that uses them first, and `immediate`.
final class StorageClasses {
    private StorageClasses() {}

    static List<ObjectNode> create() {
        ObjectNode standard = storageClass("standard", "WaitForFirstConsumer");
        standard.withObject("/metadata/annotations")
                .put("storageclass.kubernetes.io/is-default-class", "true");
        return List.of(standard, storageClass("immediate", "Immediate"));
    }

    private static ObjectNode storageClass(String name, String mode) {
        ObjectNode object = Json.object();
        object.put("apiVersion", "storage.k8s.io/v1").put("kind", "StorageClass");
        object.putObject("metadata").put("name", name);
        return object.put("provisioner", Controllers.PROVISIONER)
                .put("reclaimPolicy", "Delete")
                .put("volumeBindingMode", mode);
    }
}
