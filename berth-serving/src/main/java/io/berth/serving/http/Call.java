package io.berth.serving.http;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// One request to our port.
///
/// @param target path and query as they were sent
/// @param path the path, decoded
/// @param query the parameters, decoded, each with its values in order
/// @param headers by name, whatever its case
/// @param body reads the body, up to a limit
/// @param user who calls; empty before authentication, and where there is none
public record Call(
        String method,
        String target,
        String path,
        Map<String, List<String>> query,
        SortedMap<String, List<String>> headers,
        Peer peer,
        Supplier<byte[]> body,
        Optional<User> user) {

    /// The other end of the connection.
    ///
    /// @param address such as `127.0.0.1:58106`
    /// @param certificates what the client showed, leaf first; possession of the key is proven, who
    ///   signed them is not
    public record Peer(String address, List<X509Certificate> certificates, boolean http2) {
        public Peer {
            certificates = List.copyOf(certificates);
        }
    }

    /// The verb for authorization: every path of ours is a non-resource request.
    public String verb() {
        return method.toLowerCase(Locale.ROOT);
    }

    /// The first value of a header, or an empty text.
    public String header(String name) {
        List<String> values = headers.get(name);
        return values == null || values.isEmpty() ? "" : values.getFirst();
    }

    public List<String> headerValues(String name) {
        return headers.getOrDefault(name, List.of());
    }

    /// The first value of a query parameter, or an empty text.
    public String parameter(String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? "" : values.getFirst();
    }

    public List<String> parameters(String name) {
        return query.getOrDefault(name, List.of());
    }

    public Call withUser(User known) {
        return new Call(method, target, path, query, headers, peer, body, Optional.of(known));
    }

    /// The same call without the headers whose names are refused.
    public Call withoutHeaders(Predicate<String> refused) {
        var kept = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            if (!refused.test(name)) {
                kept.put(name, values);
            }
        });
        return new Call(method, target, path, query, kept, peer, body, user);
    }
}
