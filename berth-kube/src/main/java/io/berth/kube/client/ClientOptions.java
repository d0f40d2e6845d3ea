package io.berth.kube.client;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a client behaves; the defaults are those of kube-scheduler.
///
/// @param qps requests a second in the long run; zero or less lifts the limit
/// @param requestTimeout for requests that do not bring their own
/// @param accept how objects may be written where the request leaves it open, the best first
/// @param readIdle how long a stream may be silent before the connection is tested
/// @param pingTimeout how long that test may take; without an answer the connection is given up
public record ClientOptions(
        double qps,
        int burst,
        Duration connectTimeout,
        Duration requestTimeout,
        Duration readIdle,
        Duration pingTimeout,
        String userAgent,
        String accept) {
    private static final Logger log = LoggerFactory.getLogger(ClientOptions.class);

    /// The release whose behaviour we have.
    public static final String KUBERNETES_VERSION = "v1.36.4";

    private static final String PROTOBUF_OR_JSON = ApiRequest.PROTOBUF + ", " + ApiRequest.JSON;

    public static final ClientOptions DEFAULT =
            new ClientOptions(
                    50,
                    100,
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(15),
                    agent("scheduler"),
                    PROTOBUF_OR_JSON);

    public ClientOptions withRate(double newQps, int newBurst) {
        return new ClientOptions(
                newQps,
                newBurst,
                connectTimeout,
                requestTimeout,
                readIdle,
                pingTimeout,
                userAgent,
                accept);
    }

    public ClientOptions withRequestTimeout(Duration timeout) {
        return new ClientOptions(
                qps, burst, connectTimeout, timeout, readIdle, pingTimeout, userAgent, accept);
    }

    /// Sets how silence is judged.
    public ClientOptions withHealth(Duration idle, Duration ping) {
        return new ClientOptions(
                qps, burst, connectTimeout, requestTimeout, idle, ping, userAgent, accept);
    }

    /// Sets how silence is judged where the environment says so, in whole seconds (P-127).
    public ClientOptions withEnvironment(Map<String, String> environment) {
        return withHealth(
                seconds(environment, "HTTP2_READ_IDLE_TIMEOUT_SECONDS", readIdle),
                seconds(environment, "HTTP2_PING_TIMEOUT_SECONDS", pingTimeout));
    }

    private static Duration seconds(Map<String, String> environment, String name, Duration usual) {
        String text = environment.getOrDefault(name, "");
        if (text.isEmpty()) {
            return usual;
        }
        try {
            long seconds = Long.parseLong(text);
            if (seconds > 0) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException noNumber) {
            // Told below.
        }
        log.atWarn()
                .addKeyValue("name", name)
                .addKeyValue("value", text)
                .addKeyValue("default", usual)
                .log("Illegal timeout in the environment, using the default");
        return usual;
    }

    public ClientOptions withUserAgent(String agent) {
        return new ClientOptions(
                qps, burst, connectTimeout, requestTimeout, readIdle, pingTimeout, agent, accept);
    }

    /// Sets how objects are read, as a configuration says it: by what is accepted, and where that
    /// is not said, by what is preferred for bodies. What we cannot read counts for nothing
    /// (P-123).
    public ClientOptions withContentTypes(String acceptTypes, String contentType) {
        String wanted = acceptTypes.isBlank() ? contentType : acceptTypes;
        int protobuf = wanted.indexOf(ApiRequest.PROTOBUF);
        int json = wanted.indexOf(ApiRequest.JSON);
        boolean first = protobuf >= 0 && (json < 0 || protobuf < json);
        return new ClientOptions(
                qps,
                burst,
                connectTimeout,
                requestTimeout,
                readIdle,
                pingTimeout,
                userAgent,
                first ? PROTOBUF_OR_JSON : ApiRequest.JSON);
    }

    /// The same for a client of the election: its own agent, its own time limit (P-125, P-128).
    /// Each client has a rate of its own in any case.
    public ClientOptions forElection(Duration timeout) {
        return withRequestTimeout(timeout).withUserAgent(agent("leader-election"));
    }

    /// The agent text for one use of the API, such as `scheduler` or `leader-election`.
    public static String agent(String use) {
        String version = ClientOptions.class.getPackage().getImplementationVersion();
        String os = System.getProperty("os.name", "unknown").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "unknown").toLowerCase(Locale.ROOT);
        return "kube-scheduler/%s (%s/%s) berth/%s/%s"
                .formatted(
                        KUBERNETES_VERSION,
                        os.startsWith("mac") ? "darwin" : os.replaceAll(" .*", ""),
                        arch.equals("aarch64") ? "arm64" : arch.equals("x86_64") ? "amd64" : arch,
                        version == null ? "dev" : version,
                        use);
    }
}
