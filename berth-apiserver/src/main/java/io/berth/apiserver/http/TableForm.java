package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.Lister;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.store.StoredObject;
import io.berth.apiserver.table.Tables;
import io.berth.apiserver.table.Tables.IncludeObject;
import io.berth.apiserver.watch.ObjectForm;
import java.time.Instant;

/// Tables, the form that kubectl prints.
final class TableForm {
    private TableForm() {}

    static ObjectNode one(Exchange exchange, View view, StoredObject object) {
        return Tables.table(view.type(), view.tree(object), include(exchange), Instant.now());
    }

    static ObjectNode list(Exchange exchange, View view, Lister.Result result) {
        return Tables.table(
                view.type(), ListHandler.tree(view, result), include(exchange), Instant.now());
    }

    /// Each event is a table of one row. The columns are told once, with the first.
    static ObjectForm stream(Exchange exchange, View view) {
        IncludeObject include = include(exchange);
        return new ObjectForm() {
            private boolean columnsTold;

            @Override
            public byte[] encode(StoredObject object) {
                return finish(Tables.table(view.type(), view.tree(object), include, Instant.now()));
            }

            @Override
            public byte[] encodeBookmark(ObjectNode bookmark) {
                ObjectNode table =
                        Tables.table(view.type(), bookmark, IncludeObject.NONE, Instant.now());
                table.set("metadata", bookmark.get("metadata"));
                table.putArray("rows");
                return finish(table);
            }

            private byte[] finish(ObjectNode table) {
                if (columnsTold) {
                    table.putNull("columnDefinitions");
                }
                columnsTold = true;
                return Json.bytes(table);
            }
        };
    }

    private static IncludeObject include(Exchange exchange) {
        try {
            return IncludeObject.parse(exchange.query("includeObject"));
        } catch (IllegalArgumentException e) {
            throw ApiErrors.badRequest(String.valueOf(e.getMessage()));
        }
    }
}
