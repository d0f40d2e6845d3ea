package io.berth.apiserver.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.store.StoredObject;

/// How objects look in a stream: whole, as metadata only, or as rows of a table.
public interface ObjectForm {
    byte[] encode(StoredObject object);

    /// A bookmark, given as an otherwise empty object of the watched type.
    byte[] encodeBookmark(ObjectNode bookmark);
}
