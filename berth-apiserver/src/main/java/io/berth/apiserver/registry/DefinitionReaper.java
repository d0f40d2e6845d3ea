package io.berth.apiserver.registry;

import io.berth.apiserver.admission.Definitions;
import io.berth.apiserver.registry.CustomKinds.Definition;
import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.store.StoredObject;

/// Deletes the objects of kinds whose definition is being deleted, and then lets the definition go,
/// as a controller inside the real server does.
public final class DefinitionReaper {
    private final Registry registry;

    public DefinitionReaper(Registry registry) {
        this.registry = registry;
    }

    /// One round over all definitions. Cheap when none is going away.
    public void sweep() {
        for (Definition definition : registry.kinds().definitions()) {
            if (definition.deleting() && isEmptied(definition)) {
                registry.dropFinalizer(
                        new Target(CustomKinds.DEFINITIONS, "", definition.name(), ""),
                        "metadata",
                        Definitions.FINALIZER);
            }
        }
    }

    private boolean isEmptied(Definition definition) {
        boolean empty = true;
        for (var kind : definition.kind().stream().toList()) {
            for (StoredObject object : registry.store().list(kind, "").objects()) {
                empty &= registry.isRemoved(object);
            }
        }
        return empty;
    }
}
