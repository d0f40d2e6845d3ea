package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.patch.ManagedFields;
import io.berth.apiserver.registry.DeleteOptions;
import io.berth.apiserver.registry.ListOptions;
import io.berth.apiserver.registry.Lister;
import io.berth.apiserver.registry.WriteOptions;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.selector.FieldSelector;
import io.berth.apiserver.selector.LabelSelector;
import io.berth.apiserver.selector.SelectableFields;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.Status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;

/// Reads options from query parameters.
final class QueryOptions {
    private static final int MAX_MANAGER = 128;
    private static final Set<String> FIELD_VALIDATION = Set.of("", "Strict", "Warn", "Ignore");

    private QueryOptions() {}

    static WriteOptions write(Exchange exchange, String optionsKind) {
        List<String> dryRun = exchange.queryAll("dryRun");
        dryRun.forEach(value -> DeleteOptions.checkDryRun(optionsKind, value));
        String manager = exchange.query("fieldManager");
        if (manager.length() > MAX_MANAGER) {
            throw ApiErrors.invalidField(
                    "meta.k8s.io",
                    optionsKind,
                    "",
                    "fieldManager",
                    "FieldValueTooLong",
                    "Too long: may not be more than " + MAX_MANAGER + " bytes");
        }
        String validation = exchange.query("fieldValidation");
        if (!FIELD_VALIDATION.contains(validation)) {
            throw ApiErrors.invalidField(
                    "meta.k8s.io",
                    optionsKind,
                    "",
                    "fieldValidation",
                    "FieldValueNotSupported",
                    "Unsupported value: \""
                            + validation
                            + "\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
        }
        return new WriteOptions(
                exchange.user().name(),
                ManagedFields.managerName(manager, exchange.header(HttpHeader.USER_AGENT)),
                true,
                !dryRun.isEmpty(),
                exchange.warnings());
    }

    static boolean flag(Exchange exchange, String name) {
        if (!exchange.hasQuery(name)) {
            return false;
        }
        // Anything but an explicit "no" counts, as in kube-apiserver.
        String value = exchange.query(name);
        return !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    static ListOptions list(Exchange exchange, ResourcePath path, boolean watch) {
        ListOptions options =
                new ListOptions(
                        labels(exchange.query("labelSelector")),
                        fields(exchange.query("fieldSelector"), path),
                        number(exchange, "limit"),
                        exchange.query("continue"),
                        exchange.query("resourceVersion"),
                        exchange.query("resourceVersionMatch"),
                        exchange.hasQuery("sendInitialEvents")
                                ? Optional.of(flag(exchange, "sendInitialEvents"))
                                : Optional.empty(),
                        flag(exchange, "allowWatchBookmarks"),
                        number(exchange, "timeoutSeconds"));
        check(options, watch);
        return options;
    }

    private static LabelSelector labels(String text) {
        try {
            return LabelSelector.parse(text);
        } catch (IllegalArgumentException e) {
            throw ApiErrors.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static FieldSelector fields(String text, ResourcePath path) {
        ResourceType type = path.type();
        FieldSelector selector;
        try {
            selector = FieldSelector.parse(text);
        } catch (IllegalArgumentException e) {
            throw ApiErrors.badRequest(String.valueOf(e.getMessage()));
        }
        selector = SelectableFields.checked(type, selector);
        return path.name().isEmpty() ? selector : selector.and("metadata.name", path.name());
    }

    private static long number(Exchange exchange, String name) {
        String text = exchange.query(name);
        if (text.isEmpty()) {
            return 0;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw ApiErrors.badRequest(
                    "strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
        }
    }

    /// The number in a `resourceVersion` parameter.
    static long version(String text) {
        try {
            long version = Long.parseLong(text);
            if (version >= 0) {
                return version;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw ApiErrors.plain(Lister.invalidVersion(text));
    }

    private static void check(ListOptions options, boolean watch) {
        var problems = new ArrayList<Cause>();
        String match = options.match();
        boolean initial = options.sendInitialEvents().isPresent();
        if (watch) {
            if (initial && !match.equals("NotOlderThan")) {
                problems.add(
                        forbidden(
                                "resourceVersionMatch",
                                "sendInitialEvents requires setting resourceVersionMatch to"
                                        + " NotOlderThan"));
            }
            if (!match.isEmpty() && !initial) {
                problems.add(
                        forbidden(
                                "resourceVersionMatch",
                                "resourceVersionMatch is forbidden for watch unless"
                                        + " sendInitialEvents is provided"));
            }
            if (!match.isEmpty() && !match.equals("NotOlderThan")) {
                problems.add(unsupported(match, "\"NotOlderThan\""));
            }
        } else {
            if (!match.isEmpty() && options.resourceVersion().isEmpty()) {
                problems.add(
                        forbidden(
                                "resourceVersionMatch",
                                "resourceVersionMatch is forbidden unless resourceVersion is"
                                        + " provided"));
            }
            if (!match.isEmpty() && !options.continueToken().isEmpty()) {
                problems.add(
                        forbidden(
                                "resourceVersionMatch",
                                "resourceVersionMatch is forbidden when continue is provided"));
            }
            if (!Set.of("", "Exact", "NotOlderThan").contains(match)) {
                problems.add(unsupported(match, "\"Exact\", \"NotOlderThan\", \"\""));
            }
            if (match.equals("Exact") && options.resourceVersion().equals("0")) {
                problems.add(
                        forbidden(
                                "resourceVersionMatch",
                                "resourceVersionMatch \"exact\" is forbidden for resourceVersion"
                                        + " \"0\""));
            }
            if (initial) {
                problems.add(
                        forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
            }
        }
        if (!problems.isEmpty()) {
            List<String> texts =
                    problems.stream().map(p -> p.field() + ": " + p.message()).toList();
            throw ApiErrors.invalid(
                    "meta.k8s.io",
                    "ListOptions",
                    "",
                    texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]",
                    problems);
        }
    }

    private static Cause forbidden(String field, String why) {
        return new Cause("FieldValueForbidden", "Forbidden: " + why, field);
    }

    private static Cause unsupported(String match, String supported) {
        return new Cause(
                "FieldValueNotSupported",
                "Unsupported value: \"" + match + "\": supported values: " + supported,
                "resourceVersionMatch");
    }

    /// From the body if there is one, otherwise from the query.
    static DeleteOptions delete(Exchange exchange) {
        ObjectNode body = BodyReader.options(exchange);
        if (body.isEmpty()) {
            for (String value : exchange.queryAll("dryRun")) {
                body.withArray("dryRun").add(value);
            }
            if (exchange.hasQuery("gracePeriodSeconds")) {
                body.put("gracePeriodSeconds", number(exchange, "gracePeriodSeconds"));
            }
            if (exchange.hasQuery("propagationPolicy")) {
                body.put("propagationPolicy", exchange.query("propagationPolicy"));
            }
            if (exchange.hasQuery("orphanDependents")) {
                body.put("orphanDependents", flag(exchange, "orphanDependents"));
            }
        } else {
            String kind = Json.text(body, "kind");
            if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
                throw ApiErrors.badRequest(
                        "no kind \"%s\" is registered for version \"%s\" in scheme \"%s\""
                                .formatted(
                                        kind,
                                        Json.text(body, "apiVersion"),
                                        "pkg/runtime/scheme.go:111"));
            }
        }
        return DeleteOptions.of(body);
    }
}
