package io.berth.kube.connection;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.kube.connection.ClientMetrics.ExecOutcome;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Credentials that a program hands out (`exec` in a kubeconfig). What it said is kept until it
/// expires or the server refuses it. Thread-safe; a caller waits while the program runs.
final class ExecCredentials implements Credentials {
    private static final Set<String> VERSIONS =
            Set.of("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1");
    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);
    private static final int MAX_OUTPUT = 1 << 20;
    private static final JsonFactory JSON = new JsonFactory();

    /// How to run the program.
    record Plugin(
            String apiVersion,
            String command,
            List<String> arguments,
            Map<String, String> environment,
            String installHint,
            boolean wantsCluster,
            String origin) {
        static Plugin of(YamlMap exec, Path base) {
            String version = exec.text("apiVersion");
            if (!VERSIONS.contains(version)) {
                throw new ConfigException(
                        exec.at("apiVersion")
                                + ": \""
                                + version
                                + "\" is not supported: use client.authentication.k8s.io/v1 or"
                                + " v1beta1");
            }
            String command = exec.text("command");
            if (command.isEmpty()) {
                throw new ConfigException(
                        exec.at("command") + " is missing: name the program to run");
            }
            if (exec.text("interactiveMode").equals("Always")) {
                throw new ConfigException(
                        exec.at("interactiveMode")
                                + ": Always asks for a terminal, which a scheduler does not have");
            }
            var environment = new LinkedHashMap<String, String>();
            for (var variable : exec.maps("env")) {
                environment.put(variable.text("name"), variable.text("value"));
            }
            return new Plugin(
                    version,
                    command.contains("/")
                            ? FilePaths.of(base, command, exec.at("command")).toString()
                            : command,
                    exec.texts("args"),
                    environment,
                    exec.text("installHint"),
                    exec.flag("provideClusterInfo"),
                    exec.origin());
        }
    }

    /// What the program said.
    private record Grant(
            @Nullable String authorization,
            @Nullable ClientCertificate certificate,
            @Nullable Instant expiresAt) {}

    private final Plugin plugin;
    private final YamlMap cluster;
    private final URI server;
    private final Connection.Tls tls;
    private final InstantSource clock;
    private volatile ClientMetrics metrics = ClientMetrics.NONE;
    private @Nullable Grant grant;
    private @Nullable X509Certificate lastCertificate;

    ExecCredentials(Plugin plugin, YamlMap cluster, URI server, Connection.Tls tls) {
        this.plugin = plugin;
        this.cluster = cluster;
        this.server = server;
        this.tls = tls;
        this.clock = InstantSource.system();
    }

    @Override
    public @Nullable String authorization() {
        return current().authorization;
    }

    @Override
    public @Nullable ClientCertificate certificate() {
        return current().certificate;
    }

    @Override
    public synchronized void refused(@Nullable String authorization) {
        if (grant != null && java.util.Objects.equals(grant.authorization, authorization)) {
            grant = null;
        }
    }

    @Override
    public void countIn(ClientMetrics counted) {
        metrics = counted;
    }

    private synchronized Grant current() {
        var known = grant;
        if (known == null
                || known.expiresAt != null && !clock.instant().isBefore(known.expiresAt)) {
            known = run();
            grant = known;
            count(known);
        }
        return known;
    }

    /// Tells how long the certificate lasts, and how long the one before it did.
    private void count(Grant fresh) {
        if (fresh.certificate == null) {
            return;
        }
        X509Certificate certificate;
        try {
            var chain = fresh.certificate.chain();
            certificate = Pem.certificates(chain.read(), plugin.origin).getFirst();
        } catch (ConfigException unreadable) {
            return; // told when it is used
        }
        var before = lastCertificate;
        if (!certificate.equals(before)) {
            lastCertificate = certificate;
            metrics.execCertificate(
                    certificate.getNotAfter().toInstant(),
                    before == null
                            ? null
                            : Duration.between(before.getNotBefore().toInstant(), clock.instant()));
        }
    }

    private Grant run() {
        byte[] output = output();
        try (var parser = JSON.createParser(output)) {
            return parse(parser);
        } catch (IOException malformed) {
            throw problem("printed no valid ExecCredential: " + firstLine(malformed));
        }
    }

    private byte[] output() {
        var command = new java.util.ArrayList<String>();
        command.add(plugin.command);
        command.addAll(plugin.arguments);
        var builder =
                new ProcessBuilder(command)
                        .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(plugin.environment);
        builder.environment().put("KUBERNETES_EXEC_INFO", execInfo());
        Process process;
        try {
            process = builder.start();
        } catch (IOException cannotStart) {
            metrics.execRan(1, ExecOutcome.NOT_FOUND);
            String hint = plugin.installHint.isEmpty() ? "" : "\n\n" + plugin.installHint;
            throw problem("executable " + plugin.command + " not found" + hint);
        }
        // The limit holds even for a program that neither ends nor closes its output.
        var limit =
                Thread.ofVirtual()
                        .name("exec-limit")
                        .start(() -> {
                            try {
                                if (!process.waitFor(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                                    process.destroyForcibly();
                                }
                            } catch (InterruptedException done) {
                                Thread.currentThread().interrupt();
                            }
                        });
        try (var stdout = process.getInputStream()) {
            byte[] output = stdout.readNBytes(MAX_OUTPUT);
            int code = process.waitFor();
            metrics.execRan(code, code == 0 ? ExecOutcome.NO_ERROR : ExecOutcome.FAILED);
            if (code != 0) {
                throw problem("executable " + plugin.command + " failed with exit code " + code);
            }
            return output;
        } catch (IOException broken) {
            metrics.execRan(1, ExecOutcome.INTERNAL);
            throw problem("executable " + plugin.command + ": " + Errors.reason(broken));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw problem("interrupted");
        } finally {
            process.destroyForcibly();
            limit.interrupt();
        }
    }

    private Grant parse(JsonParser parser) throws IOException {
        String version = "";
        String kind = "";
        var status = new LinkedHashMap<String, String>();
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw problem("printed no JSON object");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            var value = parser.nextToken();
            switch (field) {
                case "apiVersion" -> version = parser.getValueAsString("");
                case "kind" -> kind = parser.getValueAsString("");
                case "status" -> {
                    while (value == JsonToken.START_OBJECT
                            && parser.nextToken() == JsonToken.FIELD_NAME) {
                        String name = parser.currentName();
                        parser.nextToken();
                        status.put(name, parser.getValueAsString(""));
                        parser.skipChildren();
                    }
                }
                default -> parser.skipChildren();
            }
        }
        if (!kind.equals("ExecCredential") || !version.equals(plugin.apiVersion)) {
            throw problem(
                    "printed %s %s instead of ExecCredential %s"
                            .formatted(version, kind, plugin.apiVersion));
        }
        return grant(status);
    }

    private Grant grant(Map<String, String> status) {
        String token = status.getOrDefault("token", "");
        String chain = status.getOrDefault("clientCertificateData", "");
        String key = status.getOrDefault("clientKeyData", "");
        if (token.isEmpty() && chain.isEmpty()) {
            throw problem("did not return a token or certificate/key pair");
        }
        if (chain.isEmpty() != key.isEmpty()) {
            throw problem("returned only certificate or key, not both");
        }
        String expiry = status.getOrDefault("expirationTimestamp", "");
        try {
            return new Grant(
                    token.isEmpty() ? null : "Bearer " + token,
                    chain.isEmpty()
                            ? null
                            : new ClientCertificate(
                                    inline(chain, "clientCertificateData"),
                                    inline(key, "clientKeyData")),
                    expiry.isEmpty() ? null : Instant.parse(expiry));
        } catch (DateTimeParseException malformed) {
            throw problem("returned a malformed expirationTimestamp \"" + expiry + "\"");
        }
    }

    private PemSource inline(String text, String field) {
        return new PemSource.Inline(
                text.getBytes(StandardCharsets.UTF_8), plugin.origin + ": " + field);
    }

    /// What the program learns about its purpose, in the variable `KUBERNETES_EXEC_INFO`.
    private String execInfo() {
        var text = new StringWriter();
        try (var json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("kind", "ExecCredential");
            json.writeStringField("apiVersion", plugin.apiVersion);
            json.writeObjectFieldStart("spec");
            if (plugin.wantsCluster) {
                json.writeObjectFieldStart("cluster");
                json.writeStringField("server", server.toString());
                if (tls.serverName() != null) {
                    json.writeStringField("tls-server-name", tls.serverName());
                }
                if (tls.insecure()) {
                    json.writeBooleanField("insecure-skip-tls-verify", true);
                }
                if (tls.authorities() != null) {
                    json.writeStringField(
                            "certificate-authority-data",
                            Base64.getEncoder().encodeToString(tls.authorities().read()));
                }
                if (cluster.has("proxy-url")) {
                    json.writeStringField("proxy-url", cluster.text("proxy-url"));
                }
                json.writeEndObject();
            }
            json.writeBooleanField("interactive", false);
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return text.toString();
    }

    private ConfigException problem(String what) {
        return new ConfigException("getting credentials (" + plugin.origin + "): " + what);
    }

    private static String firstLine(Exception problem) {
        return Errors.reason(problem).lines().findFirst().orElse("");
    }
}
