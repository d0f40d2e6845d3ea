package io.berth.kube.connection;

import io.berth.config.KubeconfigReader;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.SmallFiles;
import io.berth.config.text.Value.Fields;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A kubeconfig: clusters, users, and the contexts that pair them. Several files are merged; for
/// each name, and for the current context, the first file that has it wins.
public final class KubeConfig {
    private record Entry(YamlMap value, Path base) {}

    private static final Entry NOTHING = new Entry(new YamlMap(Fields.EMPTY, ""), Path.of(""));

    private final String source;
    private final Map<String, Entry> clusters = new LinkedHashMap<>();
    private final Map<String, Entry> users = new LinkedHashMap<>();
    private final Map<String, Entry> contexts = new LinkedHashMap<>();
    private String currentContext = "";

    private KubeConfig(String source) {
        this.source = source;
    }

    /// Reads one file.
    ///
    /// @throws ConfigException where it cannot be read or understood
    public static KubeConfig load(Path file) {
        var config = new KubeConfig(file.toString());
        config.add(file);
        return config;
    }

    /// Reads what the variable `KUBECONFIG` lists, or `~/.kube/config`. Files that do not exist are
    /// passed over, as kubectl does.
    public static KubeConfig fromEnvironment(Map<String, String> environment) {
        String list = environment.getOrDefault("KUBECONFIG", "");
        if (list.isBlank()) {
            list = Path.of(System.getProperty("user.home"), ".kube", "config").toString();
        }
        var config = new KubeConfig(list);
        for (var name : list.split(java.io.File.pathSeparator, -1)) {
            if (!name.isBlank() && Files.exists(Path.of(name))) {
                config.add(Path.of(name));
            }
        }
        return config;
    }

    private void add(Path file) {
        var root = new YamlMap(parse(file), file + ": ");
        Path base = file.toAbsolutePath().resolveSibling("");
        collect(root, "clusters", "cluster", clusters, base);
        collect(root, "users", "user", users, base);
        collect(root, "contexts", "context", contexts, base);
        if (currentContext.isEmpty()) {
            currentContext = root.text("current-context");
        }
    }

    private static Fields parse(Path file) {
        try {
            return KubeconfigReader.read(SmallFiles.read(file));
        } catch (IOException unreadable) {
            throw new ConfigException(
                    "unable to read kubeconfig " + file + ": " + Errors.reason(unreadable),
                    unreadable);
        } catch (ConfigurationException malformed) {
            throw new ConfigException(
                    "error loading config file \"" + file + "\": " + malformed.getMessage(),
                    malformed);
        }
    }

    private static void collect(
            YamlMap root, String list, String part, Map<String, Entry> into, Path base) {
        for (var element : root.maps(list)) {
            into.putIfAbsent(element.text("name"), new Entry(element.map(part), base));
        }
    }

    public String currentContext() {
        return currentContext;
    }

    /// The namespace that a context means where none is given.
    public String namespace(String context) {
        var chosen = contexts.getOrDefault(context, NOTHING);
        String named = chosen.value.text("namespace");
        return named.isEmpty() ? "default" : named;
    }

    /// Whether there is nothing to connect to.
    public boolean isEmpty() {
        return clusters.isEmpty() && contexts.isEmpty();
    }

    /// How to connect by the current context.
    ///
    /// @param master goes before the cluster's own server; null or empty for none
    public Connection connection(@Nullable String master) {
        return connection(currentContext, master);
    }

    /// A context that names no user, or one that is not there, goes without credentials. Whoever
    /// gives the server's address needs no cluster either.
    public Connection connection(String context, @Nullable String master) {
        String given = Objects.requireNonNullElse(master, "");
        boolean hasMaster = !given.isEmpty();
        if (context.isEmpty() && !hasMaster) {
            throw new ConfigException(
                    source + ": current-context is not set: name the context to use");
        }
        var chosen = context.isEmpty() ? NOTHING : entry(contexts, context, "contexts");
        String clusterName = chosen.value.text("cluster");
        var cluster =
                hasMaster
                        ? clusters.getOrDefault(clusterName, NOTHING)
                        : entry(clusters, clusterName, "clusters");
        var user = users.get(chosen.value.text("user"));

        var server = hasMaster ? serverUri(given, "--master") : serverOf(cluster.value);
        var tls = tlsOf(cluster, user);
        var proxy = cluster.value.text("proxy-url");
        return new Connection(
                server,
                tls,
                proxy.isEmpty() ? null : Proxies.parse(proxy, cluster.value.at("proxy-url")),
                user == null ? Credentials.NONE : credentialsOf(user, cluster, server, tls),
                user == null ? Map.of() : impersonationOf(user.value));
    }

    private Entry entry(Map<String, Entry> from, String name, String list) {
        var found = from.get(name);
        if (found == null) {
            throw new ConfigException(
                    source + ": " + list + " has no entry named \"" + name + "\"");
        }
        return found;
    }

    private static URI serverOf(YamlMap cluster) {
        String text = cluster.text("server");
        if (text.isEmpty()) {
            throw new ConfigException(
                    cluster.at("server") + " is missing: give the URL of the API server");
        }
        return serverUri(text, cluster.at("server"));
    }

    static URI serverUri(String text, String origin) {
        try {
            var uri = URI.create(text.contains("://") ? text : "http://" + text);
            boolean known =
                    "https".equalsIgnoreCase(uri.getScheme())
                            || "http".equalsIgnoreCase(uri.getScheme());
            if (known && uri.getHost() != null) {
                return uri;
            }
        } catch (IllegalArgumentException malformed) {
            // Told below.
        }
        throw new ConfigException(
                origin + ": \"" + text + "\" is no URL such as https://10.0.0.1:6443");
    }

    private static Connection.Tls tlsOf(Entry cluster, @Nullable Entry user) {
        var authorities = pem(cluster, "certificate-authority");
        boolean insecure = cluster.value.flag("insecure-skip-tls-verify");
        if (insecure && authorities != null) {
            throw new ConfigException(
                    cluster.value.origin()
                            + ": certificate-authority and insecure-skip-tls-verify exclude each"
                            + " other: remove one");
        }
        String name = cluster.value.text("tls-server-name");
        return new Connection.Tls(
                authorities, insecure, name.isEmpty() ? null : name, certificateOf(user));
    }

    private static Credentials.@Nullable ClientCertificate certificateOf(@Nullable Entry user) {
        if (user == null) {
            return null;
        }
        var chain = pem(user, "client-certificate");
        var key = pem(user, "client-key");
        if (chain == null && key == null) {
            return null;
        }
        if (chain == null || key == null) {
            throw new ConfigException(
                    user.value.origin()
                            + ": client-certificate and client-key belong together, but "
                            + (chain == null ? "client-certificate" : "client-key")
                            + " is missing");
        }
        return new Credentials.ClientCertificate(chain, key);
    }

    /// Data in place goes before a file; a relative file is relative to the kubeconfig's directory.
    private static @Nullable PemSource pem(Entry entry, String field) {
        byte[] data = entry.value.base64(field + "-data");
        if (data != null) {
            return new PemSource.Inline(data, entry.value.at(field + "-data"));
        }
        String file = entry.value.text(field);
        return file.isEmpty()
                ? null
                : new PemSource.InFile(
                        FilePaths.of(entry.base, file, entry.value.at(field)),
                        entry.value.at(field));
    }

    private static Credentials credentialsOf(
            Entry user, Entry cluster, URI server, Connection.Tls tls) {
        var value = user.value;
        if (value.has("exec")) {
            return new ExecCredentials(
                    ExecCredentials.Plugin.of(value.map("exec"), user.base),
                    cluster.value,
                    server,
                    tls);
        }
        if (!value.text("tokenFile").isEmpty()) {
            return new TokenFile(
                    FilePaths.of(user.base, value.text("tokenFile"), value.at("tokenFile")));
        }
        if (!value.text("token").isEmpty()) {
            return Credentials.bearer(value.text("token"));
        }
        if (!value.text("username").isEmpty()) {
            return Credentials.basic(value.text("username"), value.text("password"));
        }
        if (value.has("auth-provider")) {
            throw new ConfigException(
                    value.at("auth-provider") + " is no longer supported: use exec instead");
        }
        return Credentials.NONE;
    }

    private static Map<String, List<String>> impersonationOf(YamlMap user) {
        var headers = new LinkedHashMap<String, List<String>>();
        if (!user.text("as").isEmpty()) {
            headers.put("Impersonate-User", List.of(user.text("as")));
        }
        if (!user.text("as-uid").isEmpty()) {
            headers.put("Impersonate-Uid", List.of(user.text("as-uid")));
        }
        if (!user.texts("as-groups").isEmpty()) {
            headers.put("Impersonate-Group", user.texts("as-groups"));
        }
        var extra = user.map("as-user-extra");
        for (var name : extra.entries().keySet()) {
            headers.put("Impersonate-Extra-" + name, new ArrayList<>(extra.texts(name)));
        }
        if (!headers.isEmpty() && !headers.containsKey("Impersonate-User")) {
            throw new ConfigException(
                    user.at("as")
                            + " is missing: as-uid, as-groups and as-user-extra need a user to"
                            + " impersonate");
        }
        return headers;
    }
}
