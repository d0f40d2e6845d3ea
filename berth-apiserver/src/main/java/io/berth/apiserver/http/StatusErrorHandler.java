package io.berth.apiserver.http;

import io.berth.apiserver.json.Json;
import io.berth.apiserver.status.Status;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Gives the failures that Jetty finds itself, such as a request it cannot parse, the same form as
/// all others.
final class StatusErrorHandler implements Request.Handler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int code = response.getStatus();
        Status status =
                code >= 500
                        ? Status.failure(
                                code,
                                "InternalError",
                                "an error on the server has prevented the"
                                        + " request from succeeding")
                        : Status.failure(
                                code,
                                "BadRequest",
                                "the server rejected our request for an unknown reason");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.write(true, ByteBuffer.wrap(Json.bytes(status.toJson())), callback);
        return true;
    }
}
