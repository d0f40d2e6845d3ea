package io.berth.controllers.suite;

import io.berth.apiserver.conformance.Answer;

/// What the suites about volumes share.
abstract class VolumeBase extends SuiteBase {
    String claims() {
        return path("", "persistentvolumeclaims");
    }

    static String claim(String name, String storageClass) {
        return """
        {"metadata":{"name":"%s"},"spec":{"accessModes":["ReadWriteOnce"],
          "storageClassName":"%s","resources":{"requests":{"storage":"1Gi"}}}}\
        """
                .formatted(name, storageClass);
    }

    String volume(String size, String storageClass, String policy) {
        created(
                "/api/v1/persistentvolumes",
                """
                {"metadata":{"name":"pv-%s"},"spec":{"capacity":{"storage":"%s"},
                  "accessModes":["ReadWriteOnce"],"storageClassName":"%s",
                  "persistentVolumeReclaimPolicy":"%s","hostPath":{"path":"/tmp"}}}\
                """
                        .formatted(namespace, size, storageClass, policy));
        return "/api/v1/persistentvolumes/pv-" + namespace;
    }

    Answer bound(String claim) {
        untilAt(claims() + "/" + claim, "/status/phase", "Bound");
        return client.get(claims() + "/" + claim);
    }
}
