package io.berth.apiserver.registry;

import io.berth.apiserver.selector.FieldSelector;
import io.berth.apiserver.selector.LabelSelector;
import io.berth.apiserver.store.StoredObject;
import java.util.Optional;

/// What a list or a watch asks for.
///
/// @param limit the most objects in one page, 0 for all
/// @param match `Exact`, `NotOlderThan` or empty
public record ListOptions(
        LabelSelector labels,
        FieldSelector fields,
        long limit,
        String continueToken,
        String resourceVersion,
        String match,
        Optional<Boolean> sendInitialEvents,
        boolean bookmarks,
        long timeoutSeconds) {
    public boolean selects(StoredObject object) {
        return labels.matches(object.labels()) && fields.matches(object::field);
    }

    boolean selectsAll() {
        return labels.isEmpty() && fields.isEmpty();
    }
}
