package io.berth.serving.http;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Calls made by hand.
public final class Calls {
    private Calls() {}

    public static Call get(String target, String... headers) {
        return call("GET", target, "", headers);
    }

    public static Call call(String method, String target, String body, String... headers) {
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        Map<String, List<String>> query =
                question < 0 ? Map.of() : PercentCoding.parameters(target.substring(question + 1));
        var map = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < headers.length; i += 2) {
            map.merge(
                    headers[i],
                    List.of(headers[i + 1]),
                    (some, more) -> List.of(some.getFirst(), more.getFirst()));
        }
        return new Call(
                method,
                target,
                PercentCoding.decode(path).orElseThrow(),
                query,
                map,
                new Call.Peer("127.0.0.1:4711", List.of(), false),
                () -> body.getBytes(StandardCharsets.UTF_8),
                Optional.empty());
    }

    /// The same call over a connection whose client showed these certificates.
    public static Call from(Call call, boolean http2, X509Certificate... certificates) {
        return new Call(
                call.method(),
                call.target(),
                call.path(),
                call.query(),
                call.headers(),
                new Call.Peer("127.0.0.1:4711", List.of(certificates), http2),
                call.body(),
                call.user());
    }
}
