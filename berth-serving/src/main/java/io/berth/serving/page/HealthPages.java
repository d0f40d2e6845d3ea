package io.berth.serving.page;

import io.berth.config.text.GoText;
import io.berth.serving.http.Call;
import io.berth.serving.http.Mux;
import io.berth.serving.http.Reply;
import io.berth.serving.tls.ServerLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// `/healthz` and its kin: all checks of an endpoint on one page, and each on a page of its own.
///
/// The page with all checks is open to everybody, so it says only which check failed. Why it failed
/// stands in the log and on the check's own page, for those who may read it.
final class HealthPages {
    private static final int LOG_LEVEL = 2;

    private final String endpoint;
    private final List<HealthCheck> checks;
    private final HealthObserver observer;
    private final ServerLog log;

    private HealthPages(
            String endpoint, List<HealthCheck> checks, HealthObserver observer, ServerLog log) {
        this.endpoint = endpoint;
        this.checks = checks.isEmpty() ? List.of(HealthCheck.PING) : List.copyOf(checks);
        this.observer = observer;
        this.log = log;
    }

    /// Adds the pages of an endpoint such as `healthz`; without checks it has `ping`.
    static void install(
            Mux mux,
            String endpoint,
            List<HealthCheck> checks,
            HealthObserver observer,
            ServerLog log) {
        var pages = new HealthPages(endpoint, checks, observer, log);
        mux.page("/" + endpoint, pages::all);
        for (HealthCheck check : pages.checks) {
            mux.page("/" + endpoint + "/" + check.name(), _ -> single(check));
        }
    }

    private Reply all(Call call) {
        List<String> excluded = call.parameters("exclude");
        var unknown = new TreeSet<>(excluded);
        var lines = new StringBuilder();
        var failed = new ArrayList<String>();
        var reasons = new StringBuilder();
        for (HealthCheck check : checks) {
            if (unknown.remove(check.name()) || excluded.contains(check.name())) {
                lines.append("[+]").append(check.name()).append(" excluded: ok\n");
                continue;
            }
            Optional<String> problem = run(check);
            observer.checked(check.name(), endpoint, problem.isEmpty());
            if (problem.isPresent()) {
                failed.add(check.name());
                lines.append("[-]").append(check.name()).append(" failed: reason withheld\n");
                reasons.append("[-]%s failed: %s\n".formatted(check.name(), problem.get()));
            } else {
                lines.append("[+]").append(check.name()).append(" ok\n");
            }
        }
        if (!unknown.isEmpty()) {
            lines.append("warn: some health checks cannot be excluded: no matches for ")
                    .append(unknown.stream().map(GoText::quote).collect(Collectors.joining(",")))
                    .append('\n');
        }
        if (!failed.isEmpty()) {
            log.line(
                    LOG_LEVEL,
                    String.join(",", failed) + " check failed: " + endpoint + "\n" + reasons);
            return Reply.error(500, lines + endpoint + " check failed").asExpected();
        }
        boolean verbose = call.query().containsKey("verbose");
        String body = verbose ? lines + endpoint + " check passed\n" : "ok";
        return Reply.text(200, body).noSniffing();
    }

    private static Reply single(HealthCheck check) {
        return run(check)
                .map(problem -> Reply.error(500, "internal server error: " + problem))
                .orElseGet(() -> Reply.text(200, "ok"));
    }

    private static Optional<String> run(HealthCheck check) {
        try {
            return check.problem();
        } catch (RuntimeException broken) {
            String reason = broken.getMessage();
            return Optional.of(reason == null ? broken.getClass().getSimpleName() : reason);
        }
    }
}
