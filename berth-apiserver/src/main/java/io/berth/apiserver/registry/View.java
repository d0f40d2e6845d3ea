package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.event.EventConverter;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.store.StoredObject;

/// A served type in relation to the type it is stored as. The two differ for events alone.
///
/// @param type what clients see
/// @param storage what the store holds
public record View(ResourceType type, ResourceType storage) {
    private static final ResourceType CORE_EVENTS =
            ResourceTable.find("", "v1", "events").orElseThrow();

    public static View of(ResourceType type) {
        boolean event = type.group().equals("events.k8s.io") && type.builtInKind().equals("Event");
        return new View(type, event ? CORE_EVENTS : type);
    }

    private boolean converts() {
        return !type.equals(storage);
    }

    /// The encoded object as clients of this view see it.
    public byte[] json(StoredObject object) {
        return converts()
                ? object.alternate(o -> Json.bytes(EventConverter.toEventsGroup(o.tree())))
                : object.json();
    }

    /// The encoded object without kind and apiVersion, as it stands in a list.
    public int itemOffset(StoredObject object) {
        if (!converts()) {
            return object.itemOffset();
        }
        return "{'kind':'','apiVersion':'',".length()
                + type.kind().length()
                + type.apiVersion().length();
    }

    public ObjectNode tree(StoredObject object) {
        ObjectNode tree = object.tree();
        return converts() ? EventConverter.toEventsGroup(tree) : tree;
    }

    /// The stored form of an object that a client sent.
    public ObjectNode toStorage(ObjectNode object) {
        return converts() ? EventConverter.toCore(object) : object;
    }

    /// The form for clients of an object in stored form.
    public ObjectNode fromStorage(ObjectNode object) {
        return converts() ? EventConverter.toEventsGroup(object) : object;
    }
}
