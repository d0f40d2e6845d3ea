package io.berth.serving.auth;

import java.util.List;
import java.util.Locale;

/// In which headers a trusted proxy says who calls.
record RequestHeaderNames(
        List<String> username,
        List<String> uid,
        List<String> group,
        List<String> extraPrefix,
        List<String> allowedProxies) {
    /// Headers of the usual names, which no page needs to see whatever the configuration.
    static final RequestHeaderNames STANDARD =
            new RequestHeaderNames(
                    List.of("X-Remote-User"),
                    List.of("X-Remote-Uid"),
                    List.of("X-Remote-Group"),
                    List.of("X-Remote-Extra-"),
                    List.of());

    static final RequestHeaderNames NONE =
            new RequestHeaderNames(List.of(), List.of(), List.of(), List.of(), List.of());

    RequestHeaderNames {
        username = List.copyOf(username);
        uid = List.copyOf(uid);
        group = List.copyOf(group);
        extraPrefix = List.copyOf(extraPrefix);
        allowedProxies = List.copyOf(allowedProxies);
    }

    static RequestHeaderNames of(AuthenticationSettings.RequestHeader settings) {
        return new RequestHeaderNames(
                settings.usernameHeaders(),
                settings.uidHeaders(),
                settings.groupHeaders(),
                settings.extraHeadersPrefix(),
                settings.allowedNames());
    }

    /// Whether a header says something about who calls.
    boolean names(String header) {
        return contains(username, header)
                || contains(uid, header)
                || contains(group, header)
                || extraPrefix.stream().anyMatch(prefix -> startsWith(header, prefix));
    }

    static boolean startsWith(String header, String prefix) {
        return header.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT));
    }

    private static boolean contains(List<String> names, String header) {
        return names.stream().anyMatch(header::equalsIgnoreCase);
    }
}
