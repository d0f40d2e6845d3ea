package io.berth.serving.auth;

import io.berth.config.text.GoText;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.serving.auth.AuthObserver.Outcome;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Filter;
import io.berth.serving.http.Reply;
import io.berth.serving.http.StatusReply;
import io.berth.serving.http.User;
import io.berth.serving.tls.ServerLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Lets through what a caller may do: administrators everything, everybody the open paths, others
/// what the API server allows them.
public final class DelegatedAuthorization implements Filter, Authority {
    private static final String ADMINISTRATORS = "system:masters";

    private final List<String> openPaths;
    private final List<String> openPrefixes;
    private final Optional<AccessReviews> reviews;
    private final Function<Call, Optional<ResourceRight>> instead;
    private final AuthObserver observer;
    private final ServerLog log;

    /// What became of a question.
    private sealed interface Decision {
        record Allowed() implements Decision {}

        record Refused(String reason, Outcome outcome) implements Decision {}

        record Unclear(String problem) implements Decision {}
    }

    private static final Decision ALLOWED = new Decision.Allowed();

    /// @param client how to reach the API server; empty where there is none to ask
    public DelegatedAuthorization(
            AuthorizationSettings settings,
            Optional<ApiClient> client,
            AuthObserver observer,
            ServerLog log) {
        this(settings, client, _ -> Optional.empty(), observer, log);
    }

    /// @param instead the right to objects that will do instead of the right to a path
    public DelegatedAuthorization(
            AuthorizationSettings settings,
            Optional<ApiClient> client,
            Function<Call, Optional<ResourceRight>> instead,
            AuthObserver observer,
            ServerLog log) {
        List<String> paths =
                settings.alwaysAllowPaths().stream()
                        .map(DelegatedAuthorization::withoutSlash)
                        .toList();
        this.openPaths = paths.stream().filter(path -> !path.endsWith("*")).toList();
        this.openPrefixes =
                paths.stream()
                        .filter(path -> path.endsWith("*"))
                        .map(path -> path.substring(0, path.length() - 1))
                        .toList();
        this.reviews =
                client.map(known -> new AccessReviews(known, settings, observer, System::nanoTime));
        this.instead = instead;
        this.observer = observer;
        this.log = log;
        if (client.isEmpty()) {
            log.warningLine(
                    "No authorization-kubeconfig provided, so SubjectAccessReview of authorization"
                            + " tokens won't work.");
        }
    }

    @Override
    public Reply answer(Call call, Endpoint inner) {
        long begin = System.nanoTime();
        User user = call.user().orElse(User.ANONYMOUS);
        Decision decision = decide(user, call);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        return switch (decision) {
            case Decision.Allowed _ -> {
                observer.authorized(Outcome.ALLOWED, took);
                yield inner.answer(call);
            }
            case Decision.Refused(var reason, var outcome) -> {
                observer.authorized(outcome, took);
                log.info(4, "Forbidden", "URI", call.target(), "reason", reason);
                yield StatusReply.forbidden(call, message(user, call, reason));
            }
            case Decision.Unclear(var problem) -> {
                observer.authorized(Outcome.ERROR, took);
                log.error(null, problem);
                yield Reply.error(
                        500,
                        harmless(
                                "Internal Server Error: %s: %s"
                                        .formatted(GoText.quote(call.target()), problem)));
            }
        };
    }

    private Decision decide(User user, Call call) {
        if (user.groups().contains(ADMINISTRATORS) || isOpen(withoutSlash(call.path()))) {
            return ALLOWED;
        }
        if (reviews.isEmpty()) {
            return new Decision.Refused("", Outcome.NO_OPINION);
        }
        try {
            Decision decision = decision(reviews.get().ask(user, call.verb(), call.path()));
            if (decision instanceof Decision.Refused(_, var outcome)
                    && outcome == Outcome.NO_OPINION
                    && instead.apply(call).filter(right -> may(user, right)).isPresent()) {
                return ALLOWED;
            }
            return decision;
        } catch (ApiException trouble) {
            return new Decision.Unclear(String.valueOf(trouble.getMessage()));
        }
    }

    private static Decision decision(AccessReviews.Answer answer) {
        if (answer.allowed() && answer.denied()) {
            return new Decision.Unclear(
                    "webhook subject access review returned both allow and deny response");
        }
        return answer.allowed()
                ? ALLOWED
                : new Decision.Refused(
                        answer.reason(), answer.denied() ? Outcome.DENIED : Outcome.NO_OPINION);
    }

    @Override
    public boolean mayGet(User user, String path) {
        return may(user, known -> known.ask(user, "get", path));
    }

    @Override
    public boolean may(User user, ResourceRight right) {
        return may(user, known -> known.ask(user, right));
    }

    private boolean may(User user, Function<AccessReviews, AccessReviews.Answer> question) {
        if (user.groups().contains(ADMINISTRATORS)) {
            return true;
        }
        try {
            return reviews.map(question)
                    .map(answer -> answer.allowed() && !answer.denied())
                    .orElse(false);
        } catch (ApiException trouble) {
            log.error(trouble, "Asking for a right failed", "user", user.name());
            return false;
        }
    }

    private boolean isOpen(String path) {
        return openPaths.contains(path) || openPrefixes.stream().anyMatch(path::startsWith);
    }

    private static String message(User user, Call call, String reason) {
        String sentence =
                harmless(
                        "User %s cannot %s path %s"
                                .formatted(
                                        GoText.quote(user.name()),
                                        call.verb(),
                                        GoText.quote(call.path())));
        return reason.isEmpty() ? sentence : sentence + ": " + reason;
    }

    /// A path may hold anything; shown in a browser, it must not become a page.
    private static String harmless(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String withoutSlash(String path) {
        return path.startsWith("/") ? path.substring(1) : path;
    }
}
