package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.store.StoredObject;
import io.berth.apiserver.watch.ObjectForm;

/// The forms in which objects go out, apart from tables.
final class Forms {
    private Forms() {}

    /// The object itself, as it is stored.
    static ObjectForm whole(View view) {
        return new ObjectForm() {
            @Override
            public byte[] encode(StoredObject object) {
                return view.json(object);
            }

            @Override
            public byte[] encodeBookmark(ObjectNode bookmark) {
                return Json.bytes(bookmark);
            }
        };
    }

    /// `PartialObjectMetadata`: the metadata and nothing else.
    static ObjectForm metadata() {
        return new ObjectForm() {
            @Override
            public byte[] encode(StoredObject object) {
                return Json.bytes(partial(object.tree()));
            }

            @Override
            public byte[] encodeBookmark(ObjectNode bookmark) {
                return Json.bytes(partial(bookmark));
            }
        };
    }

    static ObjectNode partial(ObjectNode object) {
        ObjectNode partial =
                Json.object()
                        .put("kind", "PartialObjectMetadata")
                        .put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }
}
