package io.berth.app;

import io.berth.config.ExtenderConfiguration;
import io.berth.config.ExtenderConfiguration.Bytes;
import io.berth.config.ExtenderConfiguration.ManagedResource;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Credentials;
import io.berth.kube.connection.FilePaths;
import io.berth.kube.connection.PemSource;
import io.berth.kube.extender.ExtenderSettings;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the Kubernetes edge is told of the configured extenders.
final class ExtenderConversion {
    private ExtenderConversion() {}

    static List<ExtenderSettings> settings(List<ExtenderConfiguration> extenders) {
        return extenders.stream().map(ExtenderConversion::settings).toList();
    }

    private static ExtenderSettings settings(ExtenderConfiguration extender) {
        return new ExtenderSettings(
                extender.urlPrefix(),
                extender.filterVerb(),
                extender.prioritizeVerb(),
                extender.preemptVerb(),
                extender.bindVerb(),
                extender.weight(),
                extender.enableHttps(),
                extender.tls().map(ExtenderConversion::tls).orElse(Connection.Tls.DEFAULT),
                extender.httpTimeout(),
                extender.nodeCacheCapable(),
                extender.managedResources().stream()
                        .map(ManagedResource::name)
                        .collect(Collectors.toSet()),
                extender.ignorable());
    }

    private static Connection.Tls tls(ExtenderConfiguration.Tls tls) {
        var chain = pem(tls.certData(), tls.certFile(), "cert");
        var key = pem(tls.keyData(), tls.keyFile(), "key");
        return new Connection.Tls(
                pem(tls.caData(), tls.caFile(), "ca"),
                tls.insecure(),
                tls.serverName().isEmpty() ? null : tls.serverName(),
                chain == null || key == null
                        ? null
                        : new Credentials.ClientCertificate(chain, key));
    }

    /// Data in place wins over a file.
    private static @Nullable PemSource pem(Bytes data, String file, String name) {
        if (!data.isEmpty()) {
            return new PemSource.Inline(data.toArray(), "tlsConfig." + name + "Data");
        }
        return file.isEmpty()
                ? null
                : new PemSource.InFile(
                        FilePaths.of(file, "tlsConfig." + name + "File"),
                        "tlsConfig." + name + "File");
    }
}
