package io.berth.apiserver.registry;

import java.util.ArrayList;
import java.util.List;

/// What a writing request says besides the object.
///
/// @param user who writes
/// @param fieldManager who the written fields will belong to
/// @param tracked whether the write is recorded in `managedFields`; server-side apply has done that
///   already, and the server's own writes are nobody's
/// @param dryRun do everything but store
/// @param warnings gathers sentences for the `Warning` headers of the response
public record WriteOptions(
        String user, String fieldManager, boolean tracked, boolean dryRun, List<String> warnings) {
    public static WriteOptions internal() {
        return new WriteOptions("system:apiserver", "apiserver", false, false, new ArrayList<>());
    }

    public WriteOptions dryRun(boolean newDryRun) {
        return new WriteOptions(user, fieldManager, tracked, newDryRun, warnings);
    }

    /// The same, with `managedFields` taken as they are.
    public WriteOptions untracked() {
        return new WriteOptions(user, fieldManager, false, dryRun, warnings);
    }
}
