package io.berth.kube.client;

import io.berth.kube.connection.ClientMetrics;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Errors;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;

/// A client of one API server: sends requests within a rate, retries where the server asks for it,
/// turns its errors into [ApiException]s, and gives up connections that no longer answer.
///
/// Every method blocks its caller, so calls belong on binding and background threads, never on the
/// engine thread. Thread-safe.
public final class ApiClient implements AutoCloseable {
    private static final LongWaits WAITS = new LongWaits(System::nanoTime);
    private static final Duration LOOK_AROUND = Duration.ofMillis(50);
    private static final int MAX_RETRIES = 10;
    private static final Duration RETRY_BUDGET = Duration.ofSeconds(60);
    private static final int MAX_ERROR_BODY = 1 << 20;
    private static final int MAX_BODY = 1 << 30;

    private final Connection connection;
    private final ClientOptions options;
    private final RateLimiter limiter;
    private final Map<Lane, Semaphore> turns = new EnumMap<>(Lane.class);
    private final Transport transport;
    private final StreamGuard guard;
    private final WriteGate gate;
    private final ClientMetrics metrics;
    private final String host;

    /// A message to the server, from which others take its address.
    private final Message first;

    /// What stands before every path.
    private final String prefix;

    private final Map<String, ClientMetrics.Target> targets = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public ApiClient(Connection connection, ClientOptions options) {
        this(connection, options, WriteGate.OPEN, ClientMetrics.NONE);
    }

    public ApiClient(Connection connection, ClientOptions options, WriteGate gate) {
        this(connection, options, gate, ClientMetrics.NONE);
    }

    /// @param gate asked immediately before each write is sent, after any waiting for its turn
    public ApiClient(
            Connection connection, ClientOptions options, WriteGate gate, ClientMetrics metrics) {
        this.metrics = metrics;
        this.host = connection.server().getHost() + ":" + Transport.portOf(connection.server());
        this.first = new Message("GET", connection.server());
        this.prefix = Objects.requireNonNullElse(connection.server().getRawPath(), "");
        connection.credentials().countIn(metrics);
        metrics.transports(1);
        this.connection = connection;
        this.options = options;
        this.gate = gate;
        this.limiter = RateLimiter.of(options.qps(), options.burst());
        for (var lane : Lane.values()) {
            turns.put(lane, new Semaphore(lane.mostAtOnce(), true));
        }
        this.transport = new Transport(connection, options);
        this.guard = new StreamGuard(options, transport, this::ping);
    }

    public URI server() {
        return connection.server();
    }

    /// Sends a request and waits for the complete answer.
    ///
    /// @throws ApiException for anything but a 2xx answer
    public ApiResponse send(ApiRequest request) {
        var limit = request.timeout() == null ? options.requestTimeout() : request.timeout();
        var target = target(request);
        long begin = System.nanoTime();
        try {
            var response = retried(request, wire -> exchange(wire, request, limit));
            metrics.transferred(target, sizeOf(request.body()), response.body().length);
            return new ApiResponse(response.statusCode(), response.body());
        } finally {
            metrics.requested(target, System.nanoTime() - begin);
        }
    }

    /// Sends a request whose answer nobody reads, so that it may come in the shortest encoding.
    ///
    /// @throws ApiException for anything but a 2xx answer
    public void carryOut(ApiRequest request) {
        send(request.inAnyEncoding());
    }

    /// Sends a request and returns what the server says, be it an error, for those who pass it on.
    ///
    /// @throws ApiException where there is no answer
    public ApiResponse ask(ApiRequest request) {
        var limit = request.timeout() == null ? options.requestTimeout() : request.timeout();
        var answer = once(request, wire -> exchange(wire, request, limit));
        if (answer.statusCode == 401) {
            // The token may have been replaced since we read it.
            answer = once(request, wire -> exchange(wire, request, limit));
        }
        return new ApiResponse(answer.statusCode, answer.body);
    }

    private ClientMetrics.Target target(ApiRequest request) {
        return targets.computeIfAbsent(
                request.verb(), verb -> new ClientMetrics.Target(verb, host));
    }

    private static int sizeOf(byte @Nullable [] body) {
        return body == null ? 0 : body.length;
    }

    /// Sends a request and returns as soon as the answer begins. The caller closes the stream.
    /// Nothing holds it up: what follows the cluster must not stand in line with writes to it.
    ///
    /// @throws ApiException for anything but a 2xx answer
    public ApiStream open(ApiRequest request) {
        var limit = request.timeout() == null ? options.requestTimeout() : request.timeout();
        return retried(request, wire -> begin(wire, request, limit)).body();
    }

    /// One HTTP exchange, with what came of it.
    private record Answer<T>(int statusCode, T body, byte[] error, int retryAfterSeconds) {}

    private interface Exchange<T> {
        Answer<T> send(Wire wire) throws IOException, InterruptedException;
    }

    private <T> Answer<T> retried(ApiRequest request, Exchange<T> exchange) {
        long begin = System.nanoTime();
        boolean mayRenew = true;
        for (int attempt = 1; ; attempt++) {
            var answer = once(request, exchange);
            int code = answer.statusCode;
            if (code / 100 == 2) {
                return answer;
            }
            if (code == 401 && mayRenew) {
                // The token may have been replaced since we read it; once is enough to find out.
                mayRenew = false;
                continue;
            }
            long pause = answer.retryAfterSeconds * 1_000_000_000L;
            boolean asked = answer.retryAfterSeconds >= 0;
            boolean safe = code == 429 || code >= 500 && request.isIdempotent();
            boolean inBudget = System.nanoTime() - begin + pause <= RETRY_BUDGET.toNanos();
            if (!asked || !safe || attempt > MAX_RETRIES || !inBudget) {
                throw new ApiException(statusOf(request, answer));
            }
            metrics.retried(target(request), Integer.toString(code));
            request.departure().comesBack();
            pause(request, pause);
        }
    }

    private <T> Answer<T> once(ApiRequest request, Exchange<T> exchange) {
        if (closed) {
            throw new ApiException(
                    ApiException.Failure.INTERRUPTED, describe(request) + ": client closed", null);
        }
        var target = target(request);
        String code = ClientMetrics.NO_ANSWER;
        try {
            var answer = exchange.send(transport.current());
            code = Integer.toString(answer.statusCode);
            return answer;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw interrupted(request, stop);
        } catch (IOException trouble) {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(request, trouble);
            }
            throw failed(request, trouble);
        } finally {
            metrics.exchanged(target, code);
        }
    }

    private void limit(ApiRequest request) throws InterruptedException, WithdrawnException {
        long begin = System.nanoTime();
        boolean isWanted =
                limiter.acquire(request.lane(), () -> !request.departure().isWithdrawn());
        if (!isWanted) {
            throw new WithdrawnException();
        }
        long waited = System.nanoTime() - begin;
        WAITS.waited(waited, request, connection.server());
        metrics.limited(target(request), waited);
    }

    private Answer<byte[]> exchange(Wire wire, ApiRequest request, Duration limit)
            throws IOException, InterruptedException {
        limit(request);
        var lane = Objects.requireNonNull(turns.get(request.lane()));
        if (!lane.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new ConnectTimeoutException("too many requests under way");
        }
        try {
            if (!request.departure().leaves()) {
                throw new WithdrawnException();
            }
            return exchangeNow(wire, request, limit);
        } finally {
            lane.release();
        }
    }

    private Answer<byte[]> exchangeNow(Wire wire, ApiRequest request, Duration limit)
            throws IOException {
        String authorization = connection.credentials().authorization();
        Duration most = request.isWrite() ? GatedBody.limit(gate, limit) : limit;
        var answer = wire.exchange(message(request, authorization), most, MAX_BODY);
        note(answer.code(), authorization);
        return new Answer<>(
                answer.code(), answer.body(), answer.body(), seconds(answer.retryAfter()));
    }

    private Answer<ApiStream> begin(Wire wire, ApiRequest request, Duration limit)
            throws IOException, InterruptedException {
        String authorization = connection.credentials().authorization();
        var message = message(request, authorization);
        var answer = wire.open(message, limit);
        note(answer.code(), authorization);
        var stream = guard.watch(answer, wire, message::cancel);
        byte[] error = {};
        if (answer.code() / 100 != 2) {
            try (stream) {
                stream.limitSilence(limit);
                error = stream.readNBytes(MAX_ERROR_BODY);
            }
        }
        return new Answer<>(answer.code(), stream, error, seconds(answer.retryAfter()));
    }

    private Message message(ApiRequest request, @Nullable String authorization) {
        var message = new Message(request.verb(), first, prefix + request.path());
        message.addHeader("Accept", accepted(request));
        message.addHeader("User-Agent", options.userAgent());
        if (authorization != null) {
            message.addHeader("Authorization", authorization);
        }
        connection
                .impersonation()
                .forEach((name, values) -> values.forEach(value -> message.addHeader(name, value)));
        if (request.isWrite()) {
            byte[] content = request.body() == null ? new byte[0] : request.body();
            message.setEntity(new GatedBody(List.of(content), request.contentType(), gate));
        }
        return message;
    }

    private String accepted(ApiRequest request) {
        return switch (request.encoding()) {
            case JSON -> ApiRequest.JSON;
            case PROTOBUF -> ApiRequest.PROTOBUF + "," + ApiRequest.JSON;
            case ANY -> options.accept();
        };
    }

    private void note(int code, @Nullable String authorization) {
        if (code == 401) {
            connection.credentials().refused(authorization);
        }
    }

    /// Seconds that the server asks to wait, -1 where it does not ask.
    private static int seconds(@Nullable String retryAfter) {
        try {
            return retryAfter == null
                    ? -1
                    : Math.clamp(Long.parseLong(retryAfter.strip()), 0, 3600);
        } catch (NumberFormatException aDate) {
            return -1;
        }
    }

    private static <T> ApiStatus statusOf(ApiRequest request, Answer<T> answer) {
        var said = ApiStatus.parse(answer.error);
        if (said == null || said.code() == 0) {
            String body = new String(answer.error, StandardCharsets.UTF_8);
            said = ApiException.generic(answer.statusCode, request.verb(), request.path(), body);
        }
        return said.retryAfterSeconds() > 0 || answer.retryAfterSeconds <= 0
                ? said
                : new ApiStatus(
                        said.code(),
                        said.reason(),
                        said.message(),
                        said.causes(),
                        answer.retryAfterSeconds);
    }

    private ApiException failed(ApiRequest request, Exception trouble) {
        String what = describe(request);
        String address = server().getHost() + ":" + Transport.portOf(server());
        return switch (trouble) {
            case GatedBody.FencedException fenced ->
                    new ApiException(
                            ApiException.Failure.FENCED, what + ": " + WriteGate.CLOSED, fenced);
            case WithdrawnException withdrawn ->
                    new ApiException(
                            ApiException.Failure.WITHDRAWN, what + ": withdrawn", withdrawn);
            case ConnectTimeoutException slow ->
                    new ApiException(
                            ApiException.Failure.UNREACHABLE,
                            what + ": dial tcp " + address + ": i/o timeout",
                            slow);
            case Deadline.LateException slow -> {
                guard.suspect();
                yield new ApiException(
                        ApiException.Failure.TIMEOUT, what + ": context deadline exceeded", slow);
            }
            case UnknownHostException unknown ->
                    new ApiException(
                            ApiException.Failure.UNREACHABLE,
                            what + ": dial tcp: lookup " + server().getHost() + ": no such host",
                            unknown);
            case ConnectException refused ->
                    new ApiException(
                            ApiException.Failure.UNREACHABLE,
                            what + ": dial tcp " + address + ": connect: connection refused",
                            refused);
            case javax.net.ssl.SSLException untrusted ->
                    new ApiException(
                            ApiException.Failure.UNREACHABLE,
                            what + ": tls: " + Errors.tls(untrusted),
                            untrusted);
            default ->
                    new ApiException(
                            closed ? ApiException.Failure.INTERRUPTED : ApiException.Failure.BROKEN,
                            what + ": " + Errors.reason(trouble),
                            trouble);
        };
    }

    private String describe(ApiRequest request) {
        String verb = request.verb();
        return verb.charAt(0)
                + verb.substring(1).toLowerCase(Locale.ROOT)
                + " \""
                + connection.server()
                + request.path()
                + "\"";
    }

    /// Ends early where nobody wants the request any more.
    private void pause(ApiRequest request, long nanos) {
        long end = System.nanoTime() + nanos;
        try {
            for (long left = nanos;
                    left > 0 && !request.departure().isWithdrawn();
                    left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.sleep(Math.min(left, LOOK_AROUND.toNanos()));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw interrupted(request, stop);
        }
    }

    private ApiException interrupted(ApiRequest request, Exception stop) {
        return new ApiException(
                ApiException.Failure.INTERRUPTED, describe(request) + ": interrupted", stop);
    }

    /// Whether the server answers at all; what it answers is the same to us. Out of turn, so that a
    /// server that is slow with all else is not taken for one that is gone.
    private boolean ping(Wire wire) {
        try {
            exchangeNow(wire, ApiRequest.get("/version"), options.pingTimeout());
            return true;
        } catch (IOException | RuntimeException noAnswer) {
            // Who is interrupted has learnt nothing about the server.
            return Thread.currentThread().isInterrupted();
        }
    }

    /// Nobody wants it to be sent any more.
    private static final class WithdrawnException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public void close() {
        if (!closed) {
            metrics.transports(-1);
        }
        closed = true;
        guard.close();
        transport.close();
    }
}
