package io.berth.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.registry.ObjectRules;
import io.berth.apiserver.resource.ResourceType;

final class ObjectRulesImpl implements ObjectRules {
    static final ObjectRulesImpl INSTANCE = new ObjectRulesImpl();

    @Override
    public void applyDefaults(ResourceType type, ObjectNode object) {}

    @Override
    public void checkCreate(ResourceType type, ObjectNode object) {}

    @Override
    public void checkUpdate(ResourceType type, String subresource, ObjectNode object, ObjectNode old) {}
}
