package io.berth.sim.plain;

import io.berth.api.handle.Listers;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.sim.cluster.ApiServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Objects of a cluster besides its nodes and pods, as somebody sees them.
interface Sight {
    /// @param namespace empty for a kind that has none
    <T extends ClusterObject> @Nullable T find(
            Kind kind, Class<T> type, String namespace, String name);

    <T extends ClusterObject> List<T> all(Kind kind, Class<T> type);

    /// As a scheduler does.
    static Sight of(Listers listers) {
        return new Sight() {
            @Override
            public <T extends ClusterObject> @Nullable T find(
                    Kind kind, Class<T> type, String namespace, String name) {
                return listers.of(kind, type).get(namespace, name);
            }

            @Override
            public <T extends ClusterObject> List<T> all(Kind kind, Class<T> type) {
                return List.copyOf(listers.of(kind, type).all());
            }
        };
    }

    /// As they are.
    static Sight of(ApiServer server) {
        return new Sight() {
            @Override
            public <T extends ClusterObject> @Nullable T find(
                    Kind kind, Class<T> type, String namespace, String name) {
                var stored = server.find(kind, namespace.isEmpty() ? name : namespace + "/" + name);
                return stored == null ? null : type.cast(stored.object());
            }

            @Override
            public <T extends ClusterObject> List<T> all(Kind kind, Class<T> type) {
                return server.list(kind).stream()
                        .map(stored -> type.cast(stored.object()))
                        .toList();
            }
        };
    }
}
