package io.berth.config.schema;

import static io.berth.config.schema.Type.BOOL;
import static io.berth.config.schema.Type.BYTES;
import static io.berth.config.schema.Type.RAW;
import static io.berth.config.schema.Type.STRING;
import static io.berth.config.schema.Type.STRINGS;
import static io.berth.config.schema.Type.struct;

import io.berth.config.schema.Type.ListOf;
import io.berth.config.schema.Type.MapOf;
import io.berth.config.schema.Type.Struct;

/// A kubeconfig, version `v1` (rule P-122).
public final class KubeconfigTypes {
    private static final Struct EXTENSION =
            struct("v1.NamedExtension").and("name", STRING).and("extension", RAW);

    private static final Struct CLUSTER =
            struct("v1.Cluster")
                    .and("server", STRING)
                    .and("tls-server-name", STRING)
                    .and("insecure-skip-tls-verify", BOOL)
                    .and("certificate-authority", STRING)
                    .and("certificate-authority-data", BYTES)
                    .and("proxy-url", STRING)
                    .and("disable-compression", BOOL)
                    .and("extensions", new ListOf(EXTENSION));

    private static final Struct EXEC =
            struct("v1.ExecConfig")
                    .and("command", STRING)
                    .and("args", STRINGS)
                    .and(
                            "env",
                            new ListOf(
                                    struct("v1.ExecEnvVar")
                                            .and("name", STRING)
                                            .and("value", STRING)))
                    .and("apiVersion", STRING)
                    .and("installHint", STRING)
                    .and("provideClusterInfo", BOOL)
                    .and("interactiveMode", Type.named("v1.ExecInteractiveMode"));

    private static final Struct USER =
            struct("v1.AuthInfo")
                    .and("client-certificate", STRING)
                    .and("client-certificate-data", BYTES)
                    .and("client-key", STRING)
                    .and("client-key-data", BYTES)
                    .and("token", STRING)
                    .and("tokenFile", STRING)
                    .and("as", STRING)
                    .and("as-uid", STRING)
                    .and("as-groups", STRINGS)
                    .and("as-user-extra", new MapOf(STRINGS))
                    .and("username", STRING)
                    .and("password", STRING)
                    .and(
                            "auth-provider",
                            struct("v1.AuthProviderConfig")
                                    .and("name", STRING)
                                    .and("config", new MapOf(STRING)))
                    .and("exec", EXEC)
                    .and("extensions", new ListOf(EXTENSION));

    private static final Struct CONTEXT =
            struct("v1.Context")
                    .and("cluster", STRING)
                    .and("user", STRING)
                    .and("namespace", STRING)
                    .and("extensions", new ListOf(EXTENSION));

    public static final Struct CONFIG =
            struct("v1.Config")
                    .and("kind", STRING)
                    .and("apiVersion", STRING)
                    .and(
                            "preferences",
                            struct("v1.Preferences")
                                    .and("colors", BOOL)
                                    .and("extensions", new ListOf(EXTENSION)))
                    .and("clusters", named("v1.NamedCluster", "cluster", CLUSTER))
                    .and("users", named("v1.NamedAuthInfo", "user", USER))
                    .and("contexts", named("v1.NamedContext", "context", CONTEXT))
                    .and("current-context", STRING)
                    .and("extensions", new ListOf(EXTENSION));

    private KubeconfigTypes() {}

    private static ListOf named(String goName, String part, Struct type) {
        return new ListOf(struct(goName).and("name", STRING).and(part, type));
    }
}
