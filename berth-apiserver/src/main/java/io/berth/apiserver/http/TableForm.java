package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.registry.Lister;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.store.StoredObject;
import io.berth.apiserver.watch.ObjectForm;

/// Tables, the form that kubectl prints.
final class TableForm {
    private TableForm() {}

    static ObjectNode one(Exchange exchange, View view, StoredObject object) {
        throw new UnsupportedOperationException();
    }

    static ObjectForm stream(Exchange exchange, View view) {
        throw new UnsupportedOperationException();
    }

    static ObjectNode list(Exchange exchange, View view, Lister.Result result) {
        throw new UnsupportedOperationException();
    }
}
