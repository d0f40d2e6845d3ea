package io.berth.apiserver.resource;

import java.util.List;
import java.util.Optional;

/// What is served now: the table, and what definitions of clients add to it.
public interface ServedTypes {
    /// In the order of discovery. The same list as long as nothing was added or taken away.
    List<ResourceType> all();

    default Optional<ResourceType> find(String group, String version, String plural) {
        return ResourceTable.find(group, version, plural)
                .or(() -> ResourceTable.find(all(), group, version, plural));
    }
}
