package io.berth.kube.extender;

import io.berth.api.plugin.Extender;
import io.berth.kube.client.ConfigException;
import io.berth.kube.client.WriteGate;
import io.berth.kube.watch.RawKeeper;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The extenders of a process, with the JSON of the objects that they are sent.
public final class HttpExtenders implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpExtenders.class);

    private final List<HttpExtender> extenders = new ArrayList<>();
    private final List<ExtenderSettings> settings;
    private final RawObjects raw;

    /// @throws ConfigException where one cannot be used
    public HttpExtenders(List<ExtenderSettings> settings) {
        this(settings, WriteGate.OPEN);
    }

    /// @param gate asked immediately before an extender is told to bind
    /// @throws ConfigException where one cannot be used
    public HttpExtenders(List<ExtenderSettings> settings, WriteGate gate) {
        this.settings = List.copyOf(settings);
        this.raw = new RawObjects(this.settings);
        try {
            for (var one : this.settings) {
                log.atInfo().addKeyValue("extender", one.urlPrefix()).log("Creating extender");
                extenders.add(new HttpExtender(one, raw, gate));
            }
        } catch (ConfigException unusable) {
            close();
            throw new ConfigException(
                    "couldn't build extenders: " + unusable.getMessage(), unusable);
        }
    }

    /// In the configured order.
    public List<Extender> all() {
        return List.copyOf(extenders);
    }

    /// What the watches must keep for them.
    public RawKeeper raw() {
        return raw;
    }

    /// Resources that the scheduler itself is not to count, in the configured order.
    public List<String> ignoredResources() {
        return settings.stream()
                .flatMap(one -> one.managedResources().stream())
                .filter(ExtenderSettings.ManagedResource::ignoredByScheduler)
                .map(ExtenderSettings.ManagedResource::name)
                .toList();
    }

    @Override
    public void close() {
        extenders.reversed().forEach(HttpExtender::close);
    }
}
