package io.berth.serving.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Turns Jetty's requests into calls and has them answered. Jetty's own threads only pass them on,
/// so that they never wait for a page.
final class JettyCalls extends Handler.Abstract.NonBlocking {
    private static final int MAX_BODY_BYTES = 1 << 20;

    private static final Reply TOO_MANY =
            Reply.error(429, "Too many requests, please try again later.").with("Retry-After", "1");

    private final Endpoint endpoint;
    private final PortThreads threads;

    /// How many calls of a connection are being answered.
    private final Map<EndPoint, Integer> answering = new ConcurrentHashMap<>();

    /// Each call under way holds one.
    private final Semaphore idle = new Semaphore(Integer.MAX_VALUE);

    JettyCalls(Endpoint endpoint, PortThreads threads) {
        this.endpoint = endpoint;
        this.threads = threads;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        idle.acquireUninterruptibly();
        var sending =
                new JettyReply(request, response, Callback.from(callback, () -> idle.release()));
        Optional<Call> call = call(request);
        if (call.isEmpty()) {
            sending.send(Reply.error(400, "400 Bad Request"));
        } else if (Probes.isProbe(call.get())) {
            threads.probes().execute(() -> answer(call.get(), sending));
        } else if (!threads.call(() -> answer(call.get(), sending))) {
            sending.send(TOO_MANY);
        }
        return true;
    }

    private void answer(Call call, JettyReply sending) {
        Reply reply;
        answering(sending.endPoint(), 1);
        try {
            reply = endpoint.answer(call);
        } catch (RuntimeException | Error broken) {
            sending.fail(broken);
            return;
        } finally {
            answering(sending.endPoint(), -1);
        }
        switch (reply.content()) {
            case Reply.Whole _ -> sending.send(reply);
            case Reply.Streamed(var writing) -> stream(reply, writing, sending);
        }
    }

    /// Leaves the thread to the next call.
    private void stream(Reply reply, Reply.Writing writing, JettyReply sending) {
        boolean started =
                threads.stream(() -> {
                    answering(sending.endPoint(), 1);
                    try {
                        sending.stream(reply, writing);
                    } finally {
                        answering(sending.endPoint(), -1);
                    }
                });
        if (!started) {
            sending.send(TOO_MANY);
        }
    }

    private void answering(EndPoint where, int more) {
        answering.merge(where, more, (some, others) -> some + others == 0 ? null : some + others);
    }

    /// Whether a call of a connection is being answered.
    boolean isAnswering(EndPoint connection) {
        return answering.containsKey(connection);
    }

    /// Waits for the calls under way; false if that took too long. New ones must be kept away.
    boolean awaitIdle(Duration limit) {
        try {
            return idle.tryAcquire(Integer.MAX_VALUE, limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Empty where the path cannot be read.
    private static Optional<Call> call(Request request) {
        Target target = Target.of(request);
        return PercentCoding.decode(target.path())
                .map(path ->
                        new Call(
                                request.getMethod(),
                                target.text(),
                                path,
                                target.parameters(),
                                headers(request),
                                peer(request),
                                () -> body(request),
                                Optional.empty()));
    }

    private static SortedMap<String, List<String>> headers(Request request) {
        var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        for (HttpField field : request.getHeaders()) {
            String value = field.getValue() == null ? "" : field.getValue();
            headers.merge(field.getName(), List.of(value), JettyCalls::joined);
        }
        return headers;
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static Call.Peer peer(Request request) {
        SocketAddress remote = request.getConnectionMetaData().getRemoteSocketAddress();
        String address =
                remote instanceof InetSocketAddress internet
                        ? ListenSocket.text(internet)
                        : String.valueOf(remote);
        return new Call.Peer(address, certificates(request), isHttp2(request));
    }

    private static List<X509Certificate> certificates(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                                instanceof EndPoint.SslSessionData session
                        && session.peerCertificates() != null
                ? List.of(session.peerCertificates())
                : List.of();
    }

    static boolean isHttp2(Request request) {
        return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
    }

    private static byte[] body(Request request) {
        try {
            return Content.Source.asInputStream(request).readNBytes(MAX_BODY_BYTES);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
