package io.berth.apiserver.http;

import io.berth.apiserver.resource.ServedTypes;
import io.berth.apiserver.security.Authenticator;
import io.berth.apiserver.security.User;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.ApiException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The front door: finds out who asks for what, and turns every failure into a `Status`.
final class ApiHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    private final Authenticator authenticator;
    private final ServedTypes served;
    private final ResourceHandler resources;
    private final ReviewHandler reviews;
    private final DiscoveryHandler discovery;

    ApiHandler(Authenticator authenticator, ServedTypes served, ResourceHandler resources) {
        this.authenticator = authenticator;
        this.served = served;
        this.resources = resources;
        this.reviews = new ReviewHandler(authenticator);
        this.discovery = new DiscoveryHandler(served);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        var exchange = new Exchange(request, response);
        try {
            serve(exchange, () -> callback.failed(new CancellationException("slow client")));
            callback.succeeded();
        } catch (ApiException e) {
            refuse(exchange, e, callback);
        } catch (ClientGone | EofException e) {
            callback.failed(e);
        } catch (IOException e) {
            callback.failed(e);
        } catch (RuntimeException e) {
            LOG.error("Request failed: {} {}", request.getMethod(), request.getHttpURI(), e);
            refuse(exchange, ApiErrors.internal(String.valueOf(e.getMessage())), callback);
        }
        return true;
    }

    private static void refuse(Exchange exchange, ApiException failure, Callback callback) {
        if (exchange.isCommitted()) {
            callback.failed(failure);
            return;
        }
        try {
            exchange.respond(failure.status());
            callback.succeeded();
        } catch (IOException e) {
            callback.failed(e);
        }
    }

    private void serve(Exchange exchange, Runnable abort) throws IOException {
        List<String> segments = segments(exchange.request());
        if (HealthHandler.serves(segments)) {
            HealthHandler.handle(exchange, segments);
            return;
        }
        Optional<User> user =
                authenticator.authenticate(
                        exchange.peerCertificates(), exchange.header(HttpHeader.AUTHORIZATION));
        if (user.isPresent()) {
            exchange.user(user.get());
        } else if (!segments.equals(List.of("version"))) {
            throw ApiErrors.unauthorized();
        }
        if (discovery.handle(exchange, segments)) {
            return;
        }
        boolean core = segments.size() > 2 && segments.getFirst().equals("api");
        boolean group = segments.size() > 3 && segments.getFirst().equals("apis");
        if (core) {
            resource(exchange, "", segments.get(1), segments.subList(2, segments.size()), abort);
        } else if (group) {
            resource(
                    exchange,
                    segments.get(1),
                    segments.get(2),
                    segments.subList(3, segments.size()),
                    abort);
        } else {
            throw ApiErrors.noSuchPath();
        }
    }

    private void resource(
            Exchange exchange, String group, String version, List<String> rest, Runnable abort)
            throws IOException {
        String groupVersion = group.isEmpty() ? version : group + "/" + version;
        Optional<String> review = ReviewHandler.kind(groupVersion, rest);
        if (review.isPresent()) {
            reviews.handle(exchange, groupVersion, review.get());
            return;
        }
        boolean legacyBinding =
                groupVersion.equals("v1")
                        && rest.size() == 3
                        && rest.getFirst().equals("namespaces")
                        && rest.getLast().equals("bindings");
        if (legacyBinding) {
            resources.legacyBind(exchange, rest.get(1));
            return;
        }
        ResourcePath path =
                ResourcePath.parse(served, group, version, rest).orElseThrow(ApiErrors::noSuchPath);
        resources.handle(exchange, path, abort);
    }

    /// The decoded parts of the path; a trailing slash is passed over.
    private static List<String> segments(Request request) {
        String path = Optional.ofNullable(request.getHttpURI().getPath()).orElse("/");
        var segments = new ArrayList<String>();
        for (String part : path.substring(1).split("/", -1)) {
            try {
                segments.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                throw ApiErrors.badRequest("the path of the request cannot be read");
            }
        }
        if (segments.size() > 1 && segments.getLast().isEmpty()) {
            segments.removeLast();
        }
        return segments;
    }
}
