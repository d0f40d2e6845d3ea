package io.berth.controllers.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// How something is to be deleted.
///
/// @param uid only this very object; empty for any of the name
/// @param version only if it has not changed; 0 for whatever version
/// @param policy `Background`, `Foreground`, `Orphan`, or empty for the server's default
/// @param graceSeconds negative for the object's own
public record DeleteHow(String uid, long version, String policy, int graceSeconds) {
    public static DeleteHow exactly(String uid) {
        return new DeleteHow(uid, 0, "", -1);
    }

    public DeleteHow withPolicy(String newPolicy) {
        return new DeleteHow(uid, version, newPolicy, graceSeconds);
    }

    public DeleteHow withVersion(long newVersion) {
        return new DeleteHow(uid, newVersion, policy, graceSeconds);
    }

    public DeleteHow withGrace(int seconds) {
        return new DeleteHow(uid, version, policy, seconds);
    }

    ObjectNode options() {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("kind", "DeleteOptions").put("apiVersion", "v1");
        if (!policy.isEmpty()) {
            options.put("propagationPolicy", policy);
        }
        if (graceSeconds >= 0) {
            options.put("gracePeriodSeconds", graceSeconds);
        }
        if (!uid.isEmpty()) {
            options.withObject("/preconditions").put("uid", uid);
        }
        if (version > 0) {
            options.withObject("/preconditions").put("resourceVersion", Long.toString(version));
        }
        return options;
    }
}
