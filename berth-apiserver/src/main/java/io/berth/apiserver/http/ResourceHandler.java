package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.event.EventRules;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.DeleteOptions;
import io.berth.apiserver.registry.ListOptions;
import io.berth.apiserver.registry.Lister;
import io.berth.apiserver.registry.PodBinding;
import io.berth.apiserver.registry.PodEviction;
import io.berth.apiserver.registry.Registry;
import io.berth.apiserver.registry.Registry.Deleted;
import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.registry.Registry.Updated;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.registry.WriteOptions;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.ApiException;
import io.berth.apiserver.status.Status;
import io.berth.apiserver.status.Status.Details;
import io.berth.apiserver.store.StoredObject;
import io.berth.apiserver.watch.ObjectForm;
import java.io.IOException;
import java.util.List;

/// The verbs on resources.
final class ResourceHandler {
    private final Registry registry;
    private final Lister lister;
    private final ListHandler lists;
    private final WatchHandler watches;
    private final PatchHandler patches;
    private final ScaleHandler scales;
    private final PodBinding binding;
    private final PodEviction eviction;

    ResourceHandler(
            Registry registry, WatchHandler watches, PodBinding binding, PodEviction eviction) {
        this.registry = registry;
        this.lister = new Lister(registry.store());
        this.lists = new ListHandler(lister);
        this.watches = watches;
        this.patches = new PatchHandler(registry);
        this.scales = new ScaleHandler(registry);
        this.binding = binding;
        this.eviction = eviction;
    }

    void handle(Exchange exchange, ResourcePath path, Runnable abort) throws IOException {
        if (path.watch()) {
            require(exchange.method().equals("GET") && path.subresource().isEmpty());
            watch(exchange, path, abort);
        } else if (path.isCollection()) {
            collection(exchange, path, abort);
        } else {
            switch (path.subresource()) {
                case "binding" -> bind(exchange, path);
                case "eviction" -> evict(exchange, path);
                case "scale" -> scales.handle(exchange, path);
                case "log" -> log(exchange, path);
                default -> item(exchange, path);
            }
        }
    }

    private void collection(Exchange exchange, ResourcePath path, Runnable abort)
            throws IOException {
        require(exchange.method().equals("GET") || !path.isAllNamespaces());
        switch (exchange.method()) {
            case "GET" -> {
                if (QueryOptions.flag(exchange, "watch")) {
                    watch(exchange, path, abort);
                } else {
                    lists.list(exchange, path, form(exchange));
                }
            }
            case "POST" -> create(exchange, path);
            case "DELETE" -> deleteCollection(exchange, path);
            default -> throw ApiErrors.methodNotAllowed();
        }
    }

    private void item(Exchange exchange, ResourcePath path) throws IOException {
        boolean finalize = path.subresource().equals("finalize");
        switch (exchange.method()) {
            case "GET" -> {
                require(!finalize);
                get(exchange, path);
            }
            case "PUT" -> update(exchange, path);
            case "PATCH" -> {
                require(!finalize);
                Updated updated = patches.patch(exchange, path);
                respond(exchange, path, updated.created() ? 201 : 200, updated.object());
            }
            case "DELETE" -> {
                require(path.subresource().isEmpty());
                delete(exchange, path);
            }
            default -> throw ApiErrors.methodNotAllowed();
        }
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw ApiErrors.methodNotAllowed();
        }
    }

    private static OutputForm form(Exchange exchange) {
        return OutputForm.negotiate(
                exchange.header(org.eclipse.jetty.http.HttpHeader.ACCEPT), true);
    }

    private void watch(Exchange exchange, ResourcePath path, Runnable abort) throws IOException {
        View view = View.of(path.type());
        ObjectForm form =
                switch (form(exchange)) {
                    case WHOLE -> Forms.whole(view);
                    case METADATA -> Forms.metadata();
                    case TABLE -> TableForm.stream(exchange, view);
                };
        watches.watch(exchange, path, form, abort);
    }

    private void get(Exchange exchange, ResourcePath path) throws IOException {
        OutputForm _ = form(exchange);
        View view = View.of(path.type());
        String version = exchange.query("resourceVersion");
        long asked = version.isEmpty() ? 0 : QueryOptions.version(version);
        if (asked > registry.store().revision()) {
            throw ApiErrors.tooLargeResourceVersion(asked, registry.store().revision());
        }
        StoredObject object = find(path, view);
        respond(exchange, path, 200, object);
    }

    private StoredObject find(ResourcePath path, View view) {
        return registry.find(view.storage(), path.namespace(), path.name())
                .orElseThrow(() -> ApiErrors.notFound(path.type(), path.name()));
    }

    private void create(Exchange exchange, ResourcePath path) throws IOException {
        OutputForm _ = form(exchange);
        View view = View.of(path.type());
        WriteOptions options = QueryOptions.write(exchange, "CreateOptions");
        ObjectNode object = ObjectReader.read(exchange, path.type());
        ObjectCheck.namespace(path, object);
        ObjectNode stored = view.toStorage(object);
        Json.ensure(stored, "metadata").put("namespace", path.namespace());
        if (path.type().builtInKind().equals("Event")) {
            EventRules.checkCreate(path.type(), stored);
        }
        StoredObject created = registry.create(view.storage(), path.namespace(), stored, options);
        respond(exchange, path, 201, created);
    }

    private void update(Exchange exchange, ResourcePath path) throws IOException {
        OutputForm _ = form(exchange);
        View view = View.of(path.type());
        WriteOptions options = QueryOptions.write(exchange, "UpdateOptions");
        ObjectNode object = ObjectReader.read(exchange, path.type());
        ObjectCheck.namespace(path, object);
        ObjectCheck.name(path, object);
        ObjectNode stored = view.toStorage(object);
        if (path.type().builtInKind().equals("Event")) {
            Json.ensure(stored, "metadata").put("namespace", path.namespace());
            EventRules.checkUpdate(path.type(), stored);
        }
        Updated updated =
                registry.put(
                        new Target(
                                view.storage(), path.namespace(), path.name(), path.subresource()),
                        stored,
                        options);
        respond(exchange, path, updated.created() ? 201 : 200, updated.object());
    }

    private void delete(Exchange exchange, ResourcePath path) throws IOException {
        OutputForm _ = form(exchange);
        View view = View.of(path.type());
        DeleteOptions options = QueryOptions.delete(exchange);
        Deleted deleted = registry.delete(view.storage(), path.namespace(), path.name(), options);
        if (deleted.answersObject()) {
            respond(exchange, path, 200, deleted.object());
            return;
        }
        exchange.respond(
                Status.success(0)
                        .with(
                                new Details(
                                        path.name(),
                                        path.type().group(),
                                        path.type().plural(),
                                        deleted.object().uid(),
                                        List.of(),
                                        0)));
    }

    private void deleteCollection(Exchange exchange, ResourcePath path) throws IOException {
        View view = View.of(path.type());
        OutputForm form = form(exchange);
        ListOptions selection = QueryOptions.list(exchange, path, false);
        DeleteOptions options = QueryOptions.delete(exchange);
        Lister.Result result = lister.list(view.storage(), path.namespace(), selection);
        for (StoredObject object : result.objects()) {
            try {
                var _ = registry.delete(view.storage(), object.namespace(), object.name(), options);
            } catch (ApiException e) {
                // Deleted by another hand: just what was asked for.
                if (e.status().code() != 404) {
                    throw e;
                }
            }
        }
        lists.write(exchange, view, result, form);
    }

    private void bind(Exchange exchange, ResourcePath path) throws IOException {
        require(exchange.method().equals("POST"));
        ObjectNode body = ObjectReader.read(exchange, "v1", "Binding");
        ObjectCheck.namespace(path, body);
        if (!Json.text(body, "metadata.name").equals(path.name())) {
            throw ApiErrors.badRequest("name in URL does not match name in Binding object");
        }
        bindTo(exchange, path.namespace(), path.name(), body);
    }

    /// The old form, `POST /api/v1/namespaces/{namespace}/bindings`.
    void legacyBind(Exchange exchange, String namespace) throws IOException {
        require(exchange.method().equals("POST"));
        ObjectNode body = ObjectReader.read(exchange, "v1", "Binding");
        String given = Json.text(body, "metadata.namespace");
        if (!given.isEmpty() && !given.equals(namespace)) {
            throw ApiErrors.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
        bindTo(exchange, namespace, Json.text(body, "metadata.name"), body);
    }

    private void bindTo(Exchange exchange, String namespace, String name, ObjectNode body)
            throws IOException {
        binding.bind(namespace, name, body, QueryOptions.write(exchange, "CreateOptions"));
        exchange.respond(Status.success(201));
    }

    private void evict(Exchange exchange, ResourcePath path) throws IOException {
        require(exchange.method().equals("POST"));
        ObjectNode body = ObjectReader.readEviction(exchange);
        ObjectCheck.namespace(path, body);
        if (!Json.text(body, "metadata.name").equals(path.name())) {
            throw ApiErrors.badRequest("name in URL does not match name in Eviction object");
        }
        WriteOptions write = QueryOptions.write(exchange, "CreateOptions");
        DeleteOptions options = DeleteOptions.of(body.path("deleteOptions"));
        eviction.evict(
                path.namespace(), path.name(), options.dryRun(options.dryRun() || write.dryRun()));
        exchange.respond(Status.success(201));
    }

    /// Nothing runs behind this server, so nothing was written; that is told rather than refused.
    private void log(Exchange exchange, ResourcePath path) throws IOException {
        require(exchange.method().equals("GET"));
        StoredObject _ = find(path, View.of(path.type()));
        exchange.respondText(
                200,
                "Pod "
                        + path.name()
                        + " has no log: this cluster is simulated and runs no containers.\n");
    }

    private void respond(Exchange exchange, ResourcePath path, int code, StoredObject object)
            throws IOException {
        View view = View.of(path.type());
        switch (form(exchange)) {
            case WHOLE -> {
                boolean unstored = object.revision() == 0;
                if (unstored || exchange.wantsPretty()) {
                    ObjectNode tree = view.tree(object);
                    if (unstored) {
                        Json.ensure(tree, "metadata").remove("resourceVersion");
                    }
                    exchange.respond(code, tree);
                } else {
                    exchange.respond(code, "application/json", view.json(object));
                }
            }
            case METADATA -> exchange.respond(code, Forms.partial(object.tree()));
            case TABLE -> exchange.respond(code, TableForm.one(exchange, view, object));
        }
    }
}
