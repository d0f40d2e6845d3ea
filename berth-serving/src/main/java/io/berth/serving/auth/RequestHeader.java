package io.berth.serving.auth;

import io.berth.serving.http.Call;
import io.berth.serving.http.PercentCoding;
import io.berth.serving.http.User;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Knows callers by what a proxy in front of us says, if the proxy's own certificate is good.
final class RequestHeader implements Authenticator {
    private final Authorities authorities;
    private final Supplier<RequestHeaderNames> names;
    private final CertificateJudge<Proxy> judge = new CertificateJudge<>();

    /// Who may be a proxy.
    ///
    /// @param problem why it is none
    private record Proxy(String commonName, Optional<String> problem) {}

    RequestHeader(Authorities authorities, Supplier<RequestHeaderNames> names) {
        this.authorities = authorities;
        this.names = names;
    }

    @Override
    public Verdict authenticate(Call call) {
        List<X509Certificate> shown = call.peer().certificates();
        List<X509Certificate> trusted = authorities.current();
        if (shown.isEmpty() || trusted.isEmpty()) {
            return Verdict.NO_OPINION;
        }
        Proxy known =
                judge.judge(
                        shown,
                        trusted,
                        problem ->
                                new Proxy(
                                        problem.isEmpty()
                                                ? ClientCertificate.commonName(shown.getFirst())
                                                : "",
                                        problem));
        if (known.problem.isPresent()) {
            return new Verdict.Failed(known.problem.get());
        }
        RequestHeaderNames now = names.get();
        String proxy = known.commonName;
        if (!now.allowedProxies().isEmpty() && !now.allowedProxies().contains(proxy)) {
            return new Verdict.Failed(
                    "x509: subject with cn=" + proxy + " is not in the allowed list");
        }
        String name = first(call, now.username());
        if (name.isEmpty()) {
            return Verdict.NO_OPINION;
        }
        return new Verdict.Known(
                new User(name, first(call, now.uid()), groups(call, now), extra(call, now)));
    }

    private static String first(Call call, List<String> headers) {
        return headers.stream()
                .map(call::header)
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static List<String> groups(Call call, RequestHeaderNames names) {
        return names.group().stream()
                .flatMap(header -> call.headerValues(header).stream())
                .filter(value -> !value.isEmpty())
                .toList();
    }

    private static Map<String, List<String>> extra(Call call, RequestHeaderNames names) {
        var extra = new LinkedHashMap<String, List<String>>();
        for (String prefix : names.extraPrefix()) {
            call.headers()
                    .forEach((header, values) -> {
                        if (RequestHeaderNames.startsWith(header, prefix)) {
                            String rest =
                                    header.substring(prefix.length()).toLowerCase(Locale.ROOT);
                            String key = PercentCoding.decode(rest).orElse(rest);
                            extra.computeIfAbsent(key, _ -> new ArrayList<>()).addAll(values);
                        }
                    });
        }
        return extra;
    }
}
