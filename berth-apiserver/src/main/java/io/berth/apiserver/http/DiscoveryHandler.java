package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.discovery.AggregatedDiscovery;
import io.berth.apiserver.discovery.Discovery;
import io.berth.apiserver.discovery.OpenApi;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.resource.ServedTypes;
import io.berth.apiserver.status.ApiErrors;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/// What the server offers, for clients that ask before they act.
final class DiscoveryHandler {
    private static final String OPENAPI_PROTOBUF = "application/com.github.proto-openapi.spec.v2";

    private final ServedTypes served;

    /// Made anew when what is served has changed.
    private volatile Documents documents;

    DiscoveryHandler(ServedTypes served) {
        this.served = served;
        this.documents = new Documents(served.all());
    }

    private record Documents(
            List<ResourceType> types,
            Discovery plain,
            AggregatedDiscovery aggregated,
            OpenApi openApi) {
        Documents(List<ResourceType> types) {
            this(types, new Discovery(types), new AggregatedDiscovery(types), new OpenApi(types));
        }
    }

    private Documents documents() {
        Documents current = documents;
        List<ResourceType> types = served.all();
        if (!current.types.equals(types)) {
            current = new Documents(types);
            documents = current;
        }
        return current;
    }

    /// Answers if the path is one of discovery's.
    ///
    /// @return false if the path is none of discovery's
    boolean handle(Exchange exchange, List<String> segments) throws IOException {
        String path = "/" + String.join("/", segments);
        Documents now = documents();
        Optional<ObjectNode> document =
                switch (segments.getFirst()) {
                    case "version" ->
                            segments.size() == 1
                                    ? Optional.of(Discovery.version())
                                    : Optional.empty();
                    case "api", "apis" -> now.plain.document(path);
                    case "openapi" -> now.openApi.document(path);
                    default -> Optional.empty();
                };
        if (document.isEmpty()) {
            return false;
        }
        if (!exchange.method().equals("GET")) {
            throw ApiErrors.methodNotAllowed();
        }
        String accept = exchange.header(HttpHeader.ACCEPT);
        for (String version : AggregatedDiscovery.VERSIONS) {
            Optional<ObjectNode> all = now.aggregated.document(path, version);
            if (all.isPresent() && asksFor(accept, version)) {
                exchange.respond(
                        200, AggregatedDiscovery.contentType(version), Json.bytes(all.get()));
                return true;
            }
        }
        if (path.equals("/openapi/v2") && accept.startsWith(OPENAPI_PROTOBUF)) {
            exchange.respond(200, "application/octet-stream", new byte[0]);
            return true;
        }
        exchange.respond(200, document.get());
        return true;
    }

    private static boolean asksFor(String accept, String version) {
        for (String clause : accept.split(",", -1)) {
            List<String> parameters =
                    List.of(clause.split(";", -1)).stream().map(String::trim).toList();
            if (parameters.contains("g=apidiscovery.k8s.io")
                    && parameters.contains("v=" + version)) {
                return true;
            }
        }
        return false;
    }
}
