package io.berth.kube.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/// A service that answers JSON with JSON and is no API server. Calls are tried once; each has the
/// same time limit, from connecting to the last byte of the answer.
///
/// Thread-safe.
public final class JsonService implements AutoCloseable {
    private static final int MAX_ANSWER_BYTES = 256 << 20;

    private final Duration limit;
    private final Connection connection;
    private final Transport transport;

    public JsonService(URI server, Connection.Tls tls, Duration limit) {
        this.limit = limit;
        this.connection = new Connection(server, tls, null, Credentials.NONE, Map.of());
        this.transport = new Transport(connection, ClientOptions.DEFAULT);
    }

    /// What came back.
    public record Answer(int code, byte[] body) {}

    /// Reads certificates and keys, so that a mistake in them is told at start.
    ///
    /// @throws ConfigException where they cannot be used
    public void check() {
        if (connection.usesTls()) {
            TlsContext.of(connection.tls(), TlsContext.read(connection.tls(), null));
        }
    }

    /// Posts pieces of a body that follow one another.
    ///
    /// @throws ApiException where no answer came in time
    public Answer post(URI target, List<byte[]> body) {
        long length = body.stream().mapToLong(piece -> piece.length).sum();
        var request =
                HttpRequest.newBuilder(target)
                        // With a length, since not every server takes a body in chunks.
                        .POST(
                                HttpRequest.BodyPublishers.fromPublisher(
                                        HttpRequest.BodyPublishers.ofByteArrays(body), length))
                        .header("Content-Type", ApiRequest.JSON)
                        .header("User-Agent", ClientOptions.agent("extender"))
                        .build();
        var http = transport.current();
        var answer =
                http.sendAsync(
                        request,
                        HttpResponse.BodyHandlers.limiting(
                                HttpResponse.BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
        try {
            var response = answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return new Answer(response.statusCode(), response.body());
        } catch (ExecutionException broken) {
            throw failed(target, broken.getCause() == null ? broken : broken.getCause());
        } catch (TimeoutException slow) {
            answer.cancel(true);
            throw new ApiException(
                    ApiException.Failure.TIMEOUT,
                    "Post \"%s\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
                            .formatted(target),
                    slow);
        } catch (InterruptedException stop) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new ApiException(
                    ApiException.Failure.INTERRUPTED, "Post \"" + target + "\": interrupted", stop);
        }
    }

    private static ApiException failed(URI target, Throwable trouble) {
        String address = target.getHost() + ":" + Transport.portOf(target);
        String reason =
                switch (trouble) {
                    case HttpConnectTimeoutException slow ->
                            "dial tcp " + address + ": i/o timeout";
                    case ConnectException refused ->
                            refused.getCause() instanceof UnresolvedAddressException
                                    ? "dial tcp: lookup " + target.getHost() + ": no such host"
                                    : "dial tcp " + address + ": connect: connection refused";
                    case SSLException untrusted -> "tls: " + Errors.reason(untrusted);
                    default -> Errors.reason(trouble);
                };
        var failure =
                trouble instanceof IOException
                        ? ApiException.Failure.UNREACHABLE
                        : ApiException.Failure.BROKEN;
        return new ApiException(failure, "Post \"" + target + "\": " + reason, trouble);
    }

    @Override
    public void close() {
        transport.close();
    }
}
