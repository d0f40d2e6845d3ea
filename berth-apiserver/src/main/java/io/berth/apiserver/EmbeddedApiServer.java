package io.berth.apiserver;

import io.berth.apiserver.http.Hindrance;
import io.berth.apiserver.http.HttpServer;
import io.berth.apiserver.registry.DefinitionReaper;
import io.berth.apiserver.registry.EventExpiry;
import io.berth.apiserver.registry.NamespaceReaper;
import io.berth.apiserver.registry.Registry;
import io.berth.apiserver.security.Authenticator;
import io.berth.apiserver.security.CertificateAuthority;
import io.berth.apiserver.security.Kubeconfig;
import io.berth.apiserver.security.User;
import io.berth.apiserver.store.HistoryLimits;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.watch.Watches;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLContext;

/// A Kubernetes API server in this process, with all its memory in this process, on a loopback
/// port.
///
/// ```java
/// try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT)) {
///     Files.writeString(path, server.kubeconfig());
/// }
/// ```
public final class EmbeddedApiServer implements AutoCloseable {
    private static final int TOKEN_BYTES = 24;

    private final Store store;
    private final Watches watches;
    private final CertificateAuthority authority;
    private final String token;
    private final HttpServer http;
    private final Housekeeping housekeeping;

    /// How a server differs from the usual.
    ///
    /// @param port 0 for any free port
    /// @param history how far back watches and paged lists can go
    /// @param bookmarkInterval how often a quiet watch tells its position
    /// @param slowWatchPatience how long a client may leave a watch unread before it is cut off
    /// @param eventTimeToLive how long events are kept after their last change
    /// @param trackFields whether objects carry `managedFields`, which server-side apply needs to
    ///   see conflicts; without them objects are smaller and writes cheaper
    /// @param hindrance what stands between requests and their answers
    public record Options(
            int port,
            HistoryLimits history,
            Duration bookmarkInterval,
            Duration slowWatchPatience,
            Duration eventTimeToLive,
            boolean trackFields,
            Hindrance hindrance) {
        public static final Options DEFAULT =
                new Options(
                        0,
                        HistoryLimits.DEFAULT,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(30),
                        Duration.ofHours(1),
                        true,
                        Hindrance.NONE);

        public Options withPort(int newPort) {
            return new Options(
                    newPort,
                    history,
                    bookmarkInterval,
                    slowWatchPatience,
                    eventTimeToLive,
                    trackFields,
                    hindrance);
        }

        public Options withHistory(HistoryLimits newHistory) {
            return new Options(
                    port,
                    newHistory,
                    bookmarkInterval,
                    slowWatchPatience,
                    eventTimeToLive,
                    trackFields,
                    hindrance);
        }

        public Options withBookmarkInterval(Duration newInterval) {
            return new Options(
                    port,
                    history,
                    newInterval,
                    slowWatchPatience,
                    eventTimeToLive,
                    trackFields,
                    hindrance);
        }

        public Options withSlowWatchPatience(Duration newPatience) {
            return new Options(
                    port,
                    history,
                    bookmarkInterval,
                    newPatience,
                    eventTimeToLive,
                    trackFields,
                    hindrance);
        }

        public Options withTrackFields(boolean newTrackFields) {
            return new Options(
                    port,
                    history,
                    bookmarkInterval,
                    slowWatchPatience,
                    eventTimeToLive,
                    newTrackFields,
                    hindrance);
        }

        public Options withHindrance(Hindrance newHindrance) {
            return new Options(
                    port,
                    history,
                    bookmarkInterval,
                    slowWatchPatience,
                    eventTimeToLive,
                    trackFields,
                    newHindrance);
        }

        public Options withEventTimeToLive(Duration newTimeToLive) {
            return new Options(
                    port,
                    history,
                    bookmarkInterval,
                    slowWatchPatience,
                    newTimeToLive,
                    trackFields,
                    hindrance);
        }
    }

    private EmbeddedApiServer(Options options) {
        InstantSource clock = InstantSource.system();
        store = new Store(options.history());
        watches = new Watches();
        authority = CertificateAuthority.create();
        token = newToken();
        var registry = new Registry(store, clock, options.trackFields());
        FirstObjects.create(registry, authority.pem());
        http = startHttp(options, clock, registry);
        housekeeping =
                new Housekeeping(
                        new NamespaceReaper(registry),
                        new DefinitionReaper(registry),
                        new EventExpiry(store, clock, options.eventTimeToLive()),
                        watches,
                        options.slowWatchPatience());
        housekeeping.start();
    }

    /// Starts a server and returns when it answers.
    ///
    /// @throws PortInUseException if another process has the port
    public static EmbeddedApiServer start(Options options) {
        return new EmbeddedApiServer(options);
    }

    private HttpServer startHttp(Options options, InstantSource clock, Registry registry) {
        try {
            return HttpServer.start(
                    new HttpServer.Parts(
                            options.port(),
                            authority.serverContext(),
                            new Authenticator(token),
                            registry,
                            watches,
                            options.bookmarkInterval(),
                            clock,
                            options.hindrance()));
        } catch (BindException e) {
            throw new PortInUseException(options.port(), e);
        } catch (IOException e) {
            if (e.getCause() instanceof BindException) {
                throw new PortInUseException(options.port(), e);
            }
            throw new IllegalStateException("the API server did not start", e);
        }
    }

    private static String newToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    public int port() {
        return http.port();
    }

    public URI uri() {
        return URI.create("https://127.0.0.1:" + port());
    }

    /// The bearer token of the administrator.
    public String token() {
        return token;
    }

    /// The certificate that clients must trust, as PEM.
    public String caCertificate() {
        return authority.pem();
    }

    /// The text of a kubeconfig for the administrator, by client certificate.
    public String kubeconfig() {
        return kubeconfig(User.ADMIN.name(), User.ADMIN.groups());
    }

    /// The text of a kubeconfig for any user, by client certificate.
    public String kubeconfig(String user, List<String> groups) {
        return Kubeconfig.withCertificate(
                uri().toString(), authority.pem(), authority.issueClient(user, groups));
    }

    /// The text of a kubeconfig for the administrator, by bearer token.
    public String tokenKubeconfig() {
        return Kubeconfig.withToken(uri().toString(), authority.pem(), token);
    }

    /// What a Java client of the administrator needs to connect.
    public SSLContext clientTls() {
        return authority.clientContext(User.ADMIN.name(), User.ADMIN.groups());
    }

    /// How many watches are open now.
    public int watchCount() {
        return watches.count();
    }

    /// Forgets all history, as a compaction does: watches that lag behind get "410 Expired".
    public void compactHistory() {
        store.compact();
        store.wakeAll();
    }

    @Override
    public void close() {
        watches.close();
        housekeeping.close();
        http.close();
    }
}
