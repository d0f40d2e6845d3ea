package io.berth.tools.page;

import io.berth.app.explain.ExplainPage;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ApiStream;
import io.berth.lab.explain.ExplainException;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import io.berth.ui.Page;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicInteger;

/// Has a scheduler at work answer what the page asks, with the rights of whoever looks: a browser
/// can show the scheduler neither a token nor, without being set up, a certificate.
final class ForwardedCalls implements Endpoint {
    /// Fewer than a port sends at once, so that none that was opened is refused there.
    static final int MOST_STREAMS = 12;

    private static final String MAP = ExplainPage.PREFIX + "map";
    private static final String NODE = MAP + "/node";
    private static final int CHUNK = 16 * 1024;

    private final ApiClient scheduler;
    private final AtomicInteger open = new AtomicInteger();

    ForwardedCalls(ApiClient scheduler) {
        this.scheduler = scheduler;
    }

    /// @throws ExplainException where nobody answers there who has a page
    void check() {
        int status;
        try {
            status = scheduler.ask(ApiRequest.get(MAP)).code();
        } catch (ApiException none) {
            throw new ExplainException(
                    "the scheduler at %s cannot be reached: %s"
                            .formatted(scheduler.server(), none.getMessage()),
                    none);
        }
        var problem =
                switch (status) {
                    case 401 -> "does not know you";
                    case 403 -> "does not answer to you; a role may give get on /berth/v1/*";
                    case 404 -> "has no page: it is no Berth, or runs with --ui=false";
                    // It may be on its way up; the page tells.
                    default -> "";
                };
        if (!problem.isEmpty()) {
            throw new ExplainException(
                    "the scheduler at %s %s".formatted(scheduler.server(), problem));
        }
    }

    @Override
    public Reply answer(Call call) {
        boolean isPost = call.method().equals("POST");
        if (!isPost && !call.method().equals("GET")) {
            return Reply.error(405, "method not allowed");
        }
        try {
            if (call.path().equals(Page.STREAM)) {
                return stream(call.target());
            }
            var answer =
                    scheduler.ask(
                            isPost
                                    ? ApiRequest.create(call.target(), call.body().get())
                                    : ApiRequest.get(call.target()));
            return Reply.of(answer.code(), type(call, answer.code()), answer.body())
                    .noSniffing()
                    .with("Cache-Control", "no-store")
                    .asExpected();
        } catch (IllegalArgumentException malformed) {
            return Reply.error(400, "400 Bad Request");
        } catch (ApiException none) {
            return none.failure() == ApiException.Failure.ANSWERED
                    ? Reply.error(none.code(), String.valueOf(none.getMessage())).asExpected()
                    : Reply.error(502, "the scheduler does not answer: " + none.getMessage())
                            .asExpected();
        }
    }

    private static String type(Call call, int status) {
        if (status != 200) {
            return Reply.PLAIN;
        }
        return call.path().startsWith(MAP) && !call.path().equals(NODE)
                ? "application/octet-stream"
                : "application/json";
    }

    private Reply stream(String target) {
        if (open.incrementAndGet() > MOST_STREAMS) {
            open.decrementAndGet();
            return Reply.error(429, "too many pages are open; close one").with("Retry-After", "5");
        }
        ApiStream events;
        try {
            events = scheduler.open(ApiRequest.get(target));
        } catch (RuntimeException refused) {
            open.decrementAndGet();
            throw refused;
        }
        return Reply.streamed(200, "text/event-stream", client -> pass(events, client))
                .noSniffing();
    }

    /// Until either end leaves. The scheduler gives signs of life, so it shows when the client has.
    private void pass(ApiStream events, OutputStream client) throws IOException {
        try (events) {
            var chunk = new byte[CHUNK];
            for (int read = events.read(chunk); read >= 0; read = events.read(chunk)) {
                client.write(chunk, 0, read);
                client.flush();
            }
        } finally {
            open.decrementAndGet();
        }
    }
}
