package io.berth.apiserver.registry;

import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.store.StoredObject;

/// Conditions that a client puts on the state it is about to change.
final class Preconditions {
    private Preconditions() {}

    /// What kube-apiserver says when the object is another one of the same name.
    static String uidMessage(StoredObject current, String uid) {
        return storageError(
                current, "UID in precondition: " + uid + ", UID in object meta: " + current.uid());
    }

    static String versionMessage(StoredObject current, String version) {
        return storageError(
                current,
                "ResourceVersion in precondition: "
                        + version
                        + ", ResourceVersion in object meta: "
                        + current.revision());
    }

    private static String storageError(StoredObject current, String problem) {
        String group = current.type().group().isEmpty() ? "" : current.type().group() + "/";
        // Core resources live directly below the root of the registry, as do those of old groups.
        String directory = group.startsWith("apps") || group.startsWith("policy") ? "" : group;
        return "StorageError: invalid object, Code: 4, Key: /registry/"
                + directory
                + registryName(current.type().plural())
                + "/"
                + current.path()
                + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: "
                + problem;
    }

    private static String registryName(String plural) {
        return switch (plural) {
            case "nodes" -> "minions";
            case "services" -> "services/specs";
            case "replicationcontrollers" -> "controllers";
            default -> plural;
        };
    }

    static void checkNamespace(StoredObject current, DeleteOptions options) {
        options.uid()
                .filter(uid -> !uid.equals(current.uid()))
                .ifPresent(uid -> {
                    throw ApiErrors.conflict(
                            current.type(),
                            current.name(),
                            "Precondition failed: UID in precondition: "
                                    + uid
                                    + ", UID in object meta: "
                                    + current.uid());
                });
        options.resourceVersion()
                .filter(version -> !version.equals(Long.toString(current.revision())))
                .ifPresent(version -> {
                    throw ApiErrors.conflict(
                            current.type(),
                            current.name(),
                            "Precondition failed: ResourceVersion in precondition: "
                                    + version
                                    + ", ResourceVersion in object meta: "
                                    + current.revision());
                });
    }

    /// The number in a resourceVersion, or a refusal of what is none.
    static long parseVersion(String version) {
        try {
            long number = Long.parseLong(version);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw ApiErrors.plain("strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
    }
}
