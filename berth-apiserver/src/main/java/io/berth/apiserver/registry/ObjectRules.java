package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;

/// What the API itself asks of objects: values that stand for absent fields, and checks.
public interface ObjectRules {
    /// Fills in what the client left out.
    void applyDefaults(ResourceType type, ObjectNode object);

    /// Refuses a new object that breaks a rule of its kind.
    void checkCreate(ResourceType type, ObjectNode object);

    /// Refuses a change that breaks a rule of its kind.
    void checkUpdate(ResourceType type, String subresource, ObjectNode object, ObjectNode old);
}
