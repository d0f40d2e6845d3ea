package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.Lister;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.store.StoredObject;
import io.berth.apiserver.watch.ObjectForm;

/// Tables, the form that kubectl prints.
final class TableForm {
    private TableForm() {}

    static ObjectNode one(Exchange exchange, View view, StoredObject object) {
        return Json.object();
    }

    static ObjectForm stream(Exchange exchange, View view) {
        return Forms.whole(view);
    }

    static ObjectNode list(Exchange exchange, View view, Lister.Result result) {
        return Json.object();
    }
}
