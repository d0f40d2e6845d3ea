package io.berth.serving.auth;

import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.connection.ConfigException;
import io.berth.serving.auth.Authenticator.Verdict;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Filter;
import io.berth.serving.http.Reply;
import io.berth.serving.http.StatusReply;
import io.berth.serving.http.User;
import io.berth.serving.tls.ClientAuthorities;
import io.berth.serving.tls.ServerLog;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Finds out who calls: a trusted proxy's word, a client certificate, a bearer token, in this
/// order; whoever brings none of them is anonymous, whoever brings a wrong one is refused.
public final class DelegatedAuthentication implements Filter, ClientAuthorities, AutoCloseable {
    private final List<Authenticator> authenticators = new ArrayList<>();
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final List<Authorities> authorities = new ArrayList<>();
    private final Supplier<RequestHeaderNames> proxyHeaders;
    private final Gates gates;
    private final AuthObserver observer;
    private final ServerLog log;
    private final Optional<ClusterAuthentication> cluster;
    private final boolean needsLookup;
    private final boolean toleratesLookupFailure;

    /// Feature gates that matter here.
    ///
    /// @param certificateUid `AllowParsingUserUIDFromCertAuth`
    /// @param http2Mitigation `UnauthenticatedHTTP2DOSMitigation`
    public record Gates(boolean certificateUid, boolean http2Mitigation) {
        public static final Gates DEFAULT = new Gates(true, true);
    }

    /// Asks nobody before [#start].
    ///
    /// @param client how to reach the API server; empty where there is none to ask
    /// @throws ConfigException if the settings cannot be put to work
    public DelegatedAuthentication(
            AuthenticationSettings settings,
            Optional<ApiClient> client,
            Gates gates,
            AuthObserver observer,
            ServerLog log) {
        this.gates = gates;
        this.observer = observer;
        this.log = log;
        this.cluster =
                settings.skipLookup()
                        ? Optional.empty()
                        : client.map(known -> new ClusterAuthentication(known, log));
        this.needsLookup = settings.requestHeader().clientCaFile().isEmpty();
        this.toleratesLookupFailure = settings.tolerateLookupFailure();
        Optional<Authorities> clients = clientAuthorities(settings);
        this.proxyHeaders = proxy(settings);
        clients.ifPresent(trusted -> {
            authorities.add(trusted);
            authenticators.add(new ClientCertificate(trusted, gates.certificateUid, observer));
        });
        client.ifPresent(known -> {
            var tokens = new Tokens(known, settings.tokenTtl(), observer, System::nanoTime);
            authenticators.add(new BearerToken(tokens));
            authenticators.add(new WebSocketToken(tokens));
        });
        cluster.ifPresent(parts::add);
    }

    /// Looks up whom the cluster trusts, and follows that from now on.
    ///
    /// @throws ConfigException if that cannot be looked up but has to be
    public void start() {
        cluster.ifPresent(known -> {
            if (needsLookup) {
                lookUp(known);
            }
            known.start();
        });
    }

    private Optional<Authorities> clientAuthorities(AuthenticationSettings settings) {
        if (settings.clientCaFile().isPresent()) {
            Path file = settings.clientCaFile().get();
            return Optional.of(fromFile(file, "unable to load client CA provider: "));
        }
        if (!settings.skipLookup() && cluster.isEmpty()) {
            warnMissing("client-ca-file", "client certificate authentication");
        }
        return cluster.map(known -> known::clientAuthorities);
    }

    /// Adds the proxy's authenticator, if there is one, before all others.
    private Supplier<RequestHeaderNames> proxy(AuthenticationSettings settings) {
        if (settings.requestHeader().clientCaFile().isPresent()) {
            Authorities trusted =
                    fromFile(
                            settings.requestHeader().clientCaFile().get(),
                            "unable to create request header authentication config: ");
            RequestHeaderNames names = RequestHeaderNames.of(settings.requestHeader());
            addProxy(trusted, () -> names);
            return () -> names;
        }
        if (cluster.isEmpty()) {
            if (!settings.skipLookup()) {
                warnMissing(
                        "requestheader-client-ca-file",
                        "request-header client certificate authentication");
            }
            return () -> RequestHeaderNames.NONE;
        }
        ClusterAuthentication known = cluster.get();
        addProxy(known::proxyAuthorities, known::headers);
        return known::headers;
    }

    private void addProxy(Authorities trusted, Supplier<RequestHeaderNames> names) {
        authorities.add(trusted);
        authenticators.add(new RequestHeader(trusted, names));
    }

    private void lookUp(ClusterAuthentication known) {
        try {
            known.lookUp();
        } catch (ApiException trouble) {
            if (!toleratesLookupFailure) {
                throw new ConfigException(
                        "unable to load configmap based request-header-client-ca-file: "
                                + trouble.getMessage(),
                        trouble);
            }
            log.warningLine(
                    "Error looking up in-cluster authentication configuration: "
                            + trouble.getMessage());
            log.warningLine(
                    "Continuing without authentication configuration. This may treat all requests"
                            + " as anonymous.");
            log.warningLine(
                    "To require authentication configuration lookup to succeed, set"
                            + " --authentication-tolerate-lookup-failure=false");
        }
    }

    private Authorities fromFile(Path file, String problem) {
        try {
            var trusted = new FileAuthorities(file, log);
            parts.add(trusted);
            return trusted;
        } catch (ConfigException broken) {
            throw new ConfigException(problem + broken.getMessage(), broken);
        }
    }

    private void warnMissing(String key, String what) {
        log.warningLine(
                "No authentication-kubeconfig provided in order to lookup "
                        + key
                        + " in configmap/extension-apiserver-authentication in kube-system, so "
                        + what
                        + " won't work.");
    }

    @Override
    public boolean areConfigured() {
        return !authorities.isEmpty();
    }

    @Override
    public List<X509Certificate> current() {
        return authorities.stream().flatMap(one -> one.current().stream()).distinct().toList();
    }

    @Override
    public Reply answer(Call call, Endpoint inner) {
        long begin = System.nanoTime();
        Verdict verdict = judge(call);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        return switch (verdict) {
            case Verdict.Known(var user) -> {
                observer.authenticated(AuthObserver.Outcome.SUCCESS, took);
                observer.recognised(user);
                Call known = stripped(call).withUser(user);
                Reply reply = inner.answer(known);
                yield user.isAnonymous() ? endingSession(call, reply) : reply;
            }
            case Verdict.Failed(var reason) -> {
                observer.authenticated(AuthObserver.Outcome.ERROR, took);
                log.error(null, "Unable to authenticate the request", "err", reason);
                yield endingSession(call, StatusReply.unauthorized(call));
            }
            case Verdict.NoOpinion _ -> throw new IllegalStateException("nobody at all");
        };
    }

    /// The first to know the caller decides; failures count only if nobody does.
    private Verdict judge(Call call) {
        var failures = new ArrayList<String>();
        for (Authenticator authenticator : authenticators) {
            switch (authenticator.authenticate(call)) {
                case Verdict.Known(var user) -> {
                    return new Verdict.Known(authenticated(user));
                }
                case Verdict.Failed(var reason) -> failures.add(reason);
                case Verdict.NoOpinion _ -> {
                    // The next may have one.
                }
            }
        }
        if (failures.isEmpty()) {
            return new Verdict.Known(User.ANONYMOUS);
        }
        return new Verdict.Failed(
                failures.size() == 1
                        ? failures.getFirst()
                        : "[" + String.join(", ", failures) + "]");
    }

    private static User authenticated(User user) {
        boolean alreadySorted =
                user.name().equals(User.ANONYMOUS.name())
                        || user.groups().contains(User.AUTHENTICATED)
                        || user.groups().contains(User.UNAUTHENTICATED);
        return alreadySorted
                ? user
                : new User(
                        user.name(),
                        user.uid(),
                        Stream.concat(user.groups().stream(), Stream.of(User.AUTHENTICATED))
                                .toList(),
                        user.extra());
    }

    /// Pages see no credentials.
    private Call stripped(Call call) {
        RequestHeaderNames names = proxyHeaders.get();
        return call.withoutHeaders(header ->
                header.equalsIgnoreCase("Authorization")
                        || RequestHeaderNames.STANDARD.names(header)
                        || names.names(header));
    }

    /// HTTP/2 connections are dear, so nobody unknown may keep one.
    private Reply endingSession(Call call, Reply reply) {
        return gates.http2Mitigation && call.peer().http2()
                ? reply.with("Connection", "close")
                : reply;
    }

    @Override
    public void close() {
        for (AutoCloseable part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception broken) {
                log.error(broken, "Closing authentication failed");
            }
        }
    }
}
