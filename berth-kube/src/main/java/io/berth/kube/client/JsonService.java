package io.berth.kube.client;

import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Credentials;
import io.berth.kube.connection.Errors;
import io.berth.kube.connection.TlsContext;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;

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
        var message = new Message("POST", target);
        message.setHeader("User-Agent", ClientOptions.agent("extender"));
        message.setEntity(new GatedBody(body, ApiRequest.JSON, WriteGate.OPEN));
        try {
            var answer = transport.current().exchange(message, limit, MAX_ANSWER_BYTES);
            return new Answer(answer.code(), answer.body());
        } catch (Deadline.LateException slow) {
            throw new ApiException(
                    ApiException.Failure.TIMEOUT,
                    "Post \"%s\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
                            .formatted(target),
                    slow);
        } catch (IOException broken) {
            if (Thread.currentThread().isInterrupted()) {
                throw new ApiException(
                        ApiException.Failure.INTERRUPTED,
                        "Post \"" + target + "\": interrupted",
                        broken);
            }
            throw failed(target, broken);
        }
    }

    private static ApiException failed(URI target, IOException trouble) {
        String address = target.getHost() + ":" + Transport.portOf(target);
        String reason =
                switch (trouble) {
                    case ConnectTimeoutException slow -> "dial tcp " + address + ": i/o timeout";
                    case UnknownHostException unknown ->
                            "dial tcp: lookup " + target.getHost() + ": no such host";
                    case ConnectException refused ->
                            "dial tcp " + address + ": connect: connection refused";
                    case SSLException untrusted -> "tls: " + Errors.reason(untrusted);
                    default -> Errors.reason(trouble);
                };
        return new ApiException(
                ApiException.Failure.UNREACHABLE, "Post \"" + target + "\": " + reason, trouble);
    }

    @Override
    public void close() {
        transport.close();
    }
}
