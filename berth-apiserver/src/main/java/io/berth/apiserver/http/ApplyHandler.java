package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Yaml;
import io.berth.apiserver.patch.PatchException;
import io.berth.apiserver.patch.ServerSideApply;
import io.berth.apiserver.patch.ServerSideApply.Applier;
import io.berth.apiserver.patch.ServerSideApply.Outcome;
import io.berth.apiserver.registry.Registry;
import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.registry.Registry.Updated;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.registry.WriteOptions;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.ApiException;
import io.berth.apiserver.status.Status.Cause;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Server-side apply: creates or changes an object from the fields that one manager wants.
final class ApplyHandler {
    private static final int MAX_ATTEMPTS = 20;

    private final Registry registry;

    ApplyHandler(Registry registry) {
        this.registry = registry;
    }

    Updated apply(Exchange exchange, ResourcePath path, WriteOptions options) {
        String manager = exchange.query("fieldManager");
        if (manager.isEmpty()) {
            throw ApiErrors.invalidField(
                    "meta.k8s.io",
                    "PatchOptions",
                    "",
                    "fieldManager",
                    "FieldValueRequired",
                    "Required value: is required for apply patch");
        }
        var applier = new Applier(manager, QueryOptions.flag(exchange, "force"));
        ObjectNode configuration = configuration(exchange);
        ObjectCheck.name(path, configuration);
        ObjectCheck.namespace(path, configuration);
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            try {
                return tryApply(path, configuration, applier, options.untracked());
            } catch (ApiException e) {
                // Created or deleted by another hand since we looked.
                boolean raced = e.status().reason().equals("AlreadyExists");
                if (!raced) {
                    throw e;
                }
            }
        }
        throw ApiErrors.conflict(path.type(), path.name(), ApiErrors.MODIFIED);
    }

    private static ObjectNode configuration(Exchange exchange) {
        String text = new String(exchange.body(), StandardCharsets.UTF_8);
        JsonNode tree;
        try {
            tree = Yaml.parse(text, Exchange.MAX_BODY_BYTES);
        } catch (IllegalArgumentException e) {
            throw ApiErrors.badRequest("error decoding YAML: " + e.getMessage());
        }
        if (tree instanceof ObjectNode object) {
            return object;
        }
        throw ApiErrors.badRequest("error decoding YAML: not an object");
    }

    private Updated tryApply(
            ResourcePath path, ObjectNode configuration, Applier applier, WriteOptions options) {
        View view = View.of(path.type());
        var target = new Target(view.storage(), path.namespace(), path.name(), path.subresource());
        boolean exists = registry.find(view.storage(), path.namespace(), path.name()).isPresent();
        if (!exists && path.subresource().isEmpty()) {
            ObjectNode made = outcome(path, Optional.empty(), configuration, applier);
            return new Updated(
                    registry.create(
                            view.storage(), path.namespace(), view.toStorage(made), options),
                    true);
        }
        return registry.update(
                target,
                stored ->
                        view.toStorage(
                                outcome(
                                        path,
                                        Optional.of(view.fromStorage(stored)),
                                        configuration,
                                        applier)),
                options);
    }

    private static ObjectNode outcome(
            ResourcePath path,
            Optional<ObjectNode> live,
            ObjectNode configuration,
            Applier applier) {
        try {
            Outcome outcome =
                    ServerSideApply.apply(
                            path.type(),
                            path.subresource(),
                            live,
                            configuration,
                            applier,
                            Instant.now());
            return switch (outcome) {
                case Outcome.Applied(ObjectNode object) -> object;
                case Outcome.Unchanged() -> live.orElseThrow();
                case Outcome.Conflicted(String message, List<ServerSideApply.Cause> causes) ->
                        throw ApiErrors.applyConflict(
                                message,
                                causes.stream()
                                        .map(c ->
                                                new Cause(
                                                        "FieldManagerConflict",
                                                        c.message(),
                                                        c.field()))
                                        .toList());
            };
        } catch (PatchException e) {
            throw PatchHandler.failure(e);
        }
    }
}
