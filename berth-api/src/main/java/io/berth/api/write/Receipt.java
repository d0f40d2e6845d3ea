package io.berth.api.write;

import io.berth.api.model.ClusterObject;
import org.jspecify.annotations.Nullable;

/// What became of a write that did not fail.
///
/// @param isSent false where it was withdrawn in time
/// @param resourceVersion of the object as it is now; empty where the server does not say
/// @param object as it is now; null where nobody needs to know
public record Receipt(boolean isSent, String resourceVersion, @Nullable ClusterObject object) {
    public static final Receipt WITHDRAWN = new Receipt(false, "", null);

    /// Carried out; nobody needs to know the object's version.
    public static final Receipt SENT = new Receipt(true, "", null);

    public static Receipt of(String resourceVersion) {
        return new Receipt(true, resourceVersion, null);
    }

    public static Receipt of(ClusterObject object, String resourceVersion) {
        return new Receipt(true, resourceVersion, object);
    }
}
