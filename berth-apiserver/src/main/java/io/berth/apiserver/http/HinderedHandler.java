package io.berth.apiserver.http;

import io.berth.apiserver.status.ApiErrors;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Lets every request meet its [Hindrance].
final class HinderedHandler extends Handler.Wrapper {
    private static final String TOO_MANY =
            "the server has received too many requests and has asked us to try again later";

    private final Hindrance hindrance;

    HinderedHandler(Hindrance hindrance, Handler served) {
        super(served);
        this.hindrance = hindrance;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String agent = request.getHeaders().get(HttpHeader.USER_AGENT);
        var fate =
                hindrance.of(
                        new Hindrance.Call(
                                request.getMethod(),
                                request.getHttpURI().getPath(),
                                agent == null ? "" : agent));
        if (fate.delay().isPositive()) {
            Thread.sleep(fate.delay());
        }
        if (fate.retryAfterSeconds() > 0) {
            new Exchange(request, response)
                    .respond(
                            ApiErrors.tooManyRequests(TOO_MANY, fate.retryAfterSeconds(), List.of())
                                    .status());
            callback.succeeded();
            return true;
        }
        return fate.isAnswerLost()
                ? super.handle(
                        request,
                        new Unheard(request, response),
                        cutting(request, response, callback))
                : super.handle(request, response, callback);
    }

    private static Callback cutting(Request request, Response response, Callback callback) {
        return Callback.from(() -> {
            response.reset();
            request.getConnectionMetaData().getConnection().getEndPoint().close();
            callback.succeeded();
        });
    }

    /// An answer that goes nowhere.
    private static final class Unheard extends Response.Wrapper {
        Unheard(Request request, Response wrapped) {
            super(request, wrapped);
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            callback.succeeded();
        }
    }
}
