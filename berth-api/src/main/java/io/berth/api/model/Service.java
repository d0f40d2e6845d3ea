package io.berth.api.model;

import io.berth.api.label.Labels;
import org.jspecify.annotations.Nullable;

/// A service; default spreading takes its selector.
///
/// @param selector null where absent; an empty one selects every pod of the namespace
public record Service(String namespace, String name, @Nullable Labels selector)
        implements ClusterObject {
    @Override
    public Kind kind() {
        return Kind.SERVICE;
    }
}
