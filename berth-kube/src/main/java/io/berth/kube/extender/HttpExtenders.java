package io.berth.kube.extender;

import io.berth.api.handle.Extender;
import io.berth.kube.client.WriteGate;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.watch.RawKeeper;
import java.util.ArrayList;
import java.util.List;

/// The extenders of a process, with the JSON of the objects that they are sent.
public final class HttpExtenders implements AutoCloseable {
    private final List<HttpExtender> extenders = new ArrayList<>();
    private final RawObjects raw;

    /// @throws ConfigException where one cannot be used
    public HttpExtenders(List<ExtenderSettings> settings) {
        this(settings, WriteGate.OPEN);
    }

    /// @param gate asked immediately before an extender is told to bind
    /// @throws ConfigException where one cannot be used
    public HttpExtenders(List<ExtenderSettings> settings, WriteGate gate) {
        this.raw = new RawObjects(settings);
        try {
            for (var one : settings) {
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

    @Override
    public void close() {
        extenders.reversed().forEach(HttpExtender::close);
    }
}
