package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.Lister;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.store.StoredObject;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Writes lists.
final class ListHandler {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Lister lister;

    ListHandler(Lister lister) {
        this.lister = lister;
    }

    void list(Exchange exchange, ResourcePath path, OutputForm form) throws IOException {
        View view = View.of(path.type());
        Lister.Result result =
                lister.list(
                        view.storage(), path.namespace(), QueryOptions.list(exchange, path, false));
        write(exchange, view, result, form);
    }

    void write(Exchange exchange, View view, Lister.Result result, OutputForm form)
            throws IOException {
        switch (form) {
            case WHOLE -> {
                if (exchange.wantsPretty()) {
                    exchange.respond(200, tree(view, result));
                } else {
                    stream(exchange, view, result);
                }
            }
            case METADATA -> exchange.respond(200, metadata(result));
            case TABLE -> exchange.respond(200, TableForm.list(exchange, view, result));
        }
    }

    /// Copies the stored bytes, so that a list of any size needs one buffer.
    private static void stream(Exchange exchange, View view, Lister.Result result)
            throws IOException {
        try (OutputStream out =
                new BufferedOutputStream(exchange.stream(200, "application/json"), BUFFER_BYTES)) {
            String head =
                    "{\"kind\":\""
                            + view.type().kind()
                            + "List\",\"apiVersion\":\""
                            + view.type().apiVersion()
                            + "\",\"metadata\":"
                            + listMetadata(result)
                            + ",\"items\":[";
            out.write(head.getBytes(StandardCharsets.UTF_8));
            boolean first = true;
            for (StoredObject object : result.objects()) {
                out.write(first ? "{".getBytes(StandardCharsets.US_ASCII) : NEXT);
                first = false;
                byte[] json = view.json(object);
                int offset = view.itemOffset(object);
                out.write(json, offset, json.length - offset);
            }
            out.write("]}\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static final byte[] NEXT = ",{".getBytes(StandardCharsets.US_ASCII);

    static ObjectNode tree(View view, Lister.Result result) {
        ObjectNode list =
                Json.object()
                        .put("kind", view.type().kind() + "List")
                        .put("apiVersion", view.type().apiVersion());
        list.set("metadata", listMetadata(result));
        ArrayNode items = list.putArray("items");
        for (StoredObject object : result.objects()) {
            ObjectNode item = view.tree(object);
            item.remove("kind");
            item.remove("apiVersion");
            items.add(item);
        }
        return list;
    }

    private static ObjectNode metadata(Lister.Result result) {
        ObjectNode list =
                Json.object()
                        .put("kind", "PartialObjectMetadataList")
                        .put("apiVersion", "meta.k8s.io/v1");
        list.set("metadata", listMetadata(result));
        ArrayNode items = list.putArray("items");
        result.objects().forEach(o -> items.add(Forms.partial(o.tree())));
        return list;
    }

    static ObjectNode listMetadata(Lister.Result result) {
        ObjectNode metadata =
                Json.object().put("resourceVersion", Long.toString(result.revision()));
        if (!result.continueToken().isEmpty()) {
            metadata.put("continue", result.continueToken());
        }
        result.remaining().ifPresent(count -> metadata.put("remainingItemCount", count));
        return metadata;
    }
}
