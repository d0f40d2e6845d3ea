package io.berth.kube.connection;

import java.net.URI;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which proxy leads to the server: the configured one, else the one that the environment names in
/// `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` excludes the server.
public final class Proxies {
    private Proxies() {}

    public static @Nullable URI choose(Connection connection, Map<String, String> environment) {
        if (connection.proxy() != null) {
            return connection.proxy();
        }
        String host = connection.server().getHost();
        String name = connection.usesTls() ? "HTTPS_PROXY" : "HTTP_PROXY";
        String value = variable(environment, name);
        if (value.isEmpty() || host == null || isLocal(host)) {
            return null;
        }
        if (isExcluded(host, variable(environment, "NO_PROXY"))) {
            return null;
        }
        return parse(value.contains("://") ? value : "http://" + value, name);
    }

    /// @throws ConfigException where the proxy is of a kind that cannot be used
    public static URI parse(String text, String origin) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException malformed) {
            throw new ConfigException(origin + ": \"" + text + "\" is no URL", malformed);
        }
        if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
            throw new ConfigException(
                    origin
                            + ": unsupported proxy \""
                            + text
                            + "\": only http://host:port can be used");
        }
        if (uri.getUserInfo() != null) {
            throw new ConfigException(
                    origin + ": a proxy that asks for user and password is not supported");
        }
        return uri;
    }

    private static String variable(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null) {
            value = environment.get(name.toLowerCase(Locale.ROOT));
        }
        return value == null ? "" : value.strip();
    }

    private static boolean isLocal(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    public static boolean isExcluded(String host, String noProxy) {
        for (var entry : noProxy.split(",", -1)) {
            String pattern = entry.strip().toLowerCase(Locale.ROOT);
            if (pattern.isEmpty()) {
                continue;
            }
            String suffix = pattern.startsWith("*.") ? pattern.substring(1) : pattern;
            String dotted = suffix.startsWith(".") ? suffix : "." + suffix;
            if (pattern.equals("*")
                    || host.equalsIgnoreCase(pattern)
                    || host.toLowerCase(Locale.ROOT).endsWith(dotted)
                    || Cidr.contains(pattern, host)) {
                return true;
            }
        }
        return false;
    }
}
