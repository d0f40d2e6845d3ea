package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.security.User;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/// One request with its response. Used by the request's own thread, on which every call blocks.
final class Exchange {
    static final int MAX_BODY_BYTES = 3 * 1024 * 1024;
    private static final int MAX_DRAINED_BYTES = 64 * 1024 * 1024;

    private final Request request;
    private final Response response;
    private @Nullable Fields query;
    private final InputStream requestBody;
    private final List<String> warnings = new ArrayList<>();
    private User user = new User("system:anonymous", List.of("system:unauthenticated"));

    Exchange(Request request, Response response) {
        this.request = request;
        this.response = response;
        this.requestBody = Content.Source.asInputStream(request);
    }

    private Fields query() {
        Fields known = query;
        if (known == null) {
            known = queryOf(request);
            query = known;
        }
        return known;
    }

    private static Fields queryOf(Request request) {
        try {
            return Request.extractQueryParameters(request);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw ApiErrors.badRequest("the query of the request cannot be read");
        }
    }

    Request request() {
        return request;
    }

    String method() {
        return request.getMethod();
    }

    User user() {
        return user;
    }

    void user(User newUser) {
        user = newUser;
    }

    /// The first value of a query parameter, or an empty text.
    String query(String name) {
        return Optional.ofNullable(query().getValue(name)).orElse("");
    }

    List<String> queryAll(String name) {
        return query().getValuesOrEmpty(name);
    }

    boolean hasQuery(String name) {
        return query().getNames().contains(name);
    }

    String header(HttpHeader name) {
        return Optional.ofNullable(request.getHeaders().get(name)).orElse("");
    }

    List<X509Certificate> peerCertificates() {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                                instanceof EndPoint.SslSessionData session
                        && session.peerCertificates() != null
                ? List.of(session.peerCertificates())
                : List.of();
    }

    /// Adds a sentence that the response will carry in a `Warning` header.
    List<String> warnings() {
        return warnings;
    }

    byte[] body() {
        try {
            byte[] bytes = requestBody.readNBytes(MAX_BODY_BYTES + 1);
            if (bytes.length > MAX_BODY_BYTES) {
                throw ApiErrors.tooLarge(MAX_BODY_BYTES);
            }
            return bytes;
        } catch (IOException e) {
            throw new ClientGone(e);
        }
    }

    /// Takes the rest of the request. A response to a request that was not read to its end resets
    /// the HTTP/2 stream, and the client may see the reset before the response.
    private void drain() throws IOException {
        long left = MAX_DRAINED_BYTES;
        byte[] chunk = new byte[8192];
        for (int n = requestBody.read(chunk); n >= 0 && left > 0; n = requestBody.read(chunk)) {
            left -= n;
        }
    }

    void respond(Status status) throws IOException {
        if (status.details() != null && status.details().retryAfterSeconds() > 0) {
            response.getHeaders()
                    .put(
                            HttpHeader.RETRY_AFTER,
                            Integer.toString(status.details().retryAfterSeconds()));
        }
        respond(status.code() == 0 ? 200 : status.code(), status.toJson());
    }

    void respond(int code, JsonNode tree) throws IOException {
        respond(code, "application/json", encode(tree));
    }

    private byte[] encode(JsonNode tree) {
        return wantsPretty() ? Json.prettyBytes(tree) : Json.bytes(tree);
    }

    /// People who look with curl get indented JSON, as from kube-apiserver.
    boolean wantsPretty() {
        if (hasQuery("pretty")) {
            return List.of("", "1", "t", "T", "true", "TRUE", "True").contains(query("pretty"))
                    && !query("pretty").isEmpty();
        }
        String agent = header(HttpHeader.USER_AGENT);
        return agent.startsWith("curl")
                || agent.startsWith("Wget")
                || agent.startsWith("Mozilla/5.0");
    }

    void respondText(int code, String text) throws IOException {
        respond(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    void respond(int code, String contentType, byte[] body) throws IOException {
        start(code, contentType);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        Content.Sink.write(response, true, ByteBuffer.wrap(body));
    }

    /// Starts a response whose length is not known yet.
    OutputStream stream(int code, String contentType) throws IOException {
        start(code, contentType);
        return Content.Sink.asOutputStream(response);
    }

    void responseHeader(HttpHeader name, String value) {
        response.getHeaders().put(name, value);
    }

    boolean isCommitted() {
        return response.isCommitted();
    }

    private void start(int code, String contentType) throws IOException {
        drain();
        response.setStatus(code);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        for (String warning : warnings) {
            String quoted = warning.replace("\\", "\\\\").replace("\"", "\\\"");
            response.getHeaders().add("Warning", "299 - \"" + quoted + "\"");
        }
    }
}
