package io.berth.engine.intake;

import io.berth.api.event.ClusterEvent;
import io.berth.api.model.Kind;
import io.berth.api.plugin.Log;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which kinds besides pods and nodes can wake pods: those that plugins wait for by name (rule
/// E-73). The others are looked up by plugins, but nobody is told when they change.
///
/// A name is one that [ClusterEvent] has, or `<plural>.<version>.<group>`, such as `services.v1.`
/// or `replicasets.v1.apps`.
public final class Subscriptions {
    private static final Map<String, Kind> FOLLOWED =
            Map.of(
                    "namespaces.v1.", Kind.NAMESPACE,
                    "services.v1.", Kind.SERVICE,
                    "replicationcontrollers.v1.", Kind.REPLICATION_CONTROLLER,
                    "replicasets.v1.apps", Kind.REPLICA_SET,
                    "statefulsets.v1.apps", Kind.STATEFUL_SET,
                    "poddisruptionbudgets.v1.policy", Kind.POD_DISRUPTION_BUDGET);

    /// Pods and nodes are told of in any case; the others come with the plugins that need them.
    private static final Set<String> BUILT_IN =
            Set.of(
                    ClusterEvent.ANY,
                    ClusterEvent.POD,
                    ClusterEvent.NODE,
                    ClusterEvent.PERSISTENT_VOLUME,
                    ClusterEvent.PERSISTENT_VOLUME_CLAIM,
                    ClusterEvent.CSI_NODE,
                    ClusterEvent.CSI_DRIVER,
                    ClusterEvent.VOLUME_ATTACHMENT,
                    ClusterEvent.CSI_STORAGE_CAPACITY,
                    ClusterEvent.STORAGE_CLASS,
                    ClusterEvent.RESOURCE_CLAIM,
                    ClusterEvent.RESOURCE_SLICE,
                    ClusterEvent.DEVICE_CLASS);

    private final Map<Kind, String> heard = new EnumMap<>(Kind.class);

    /// @param registered what plugins wait for
    public Subscriptions(Collection<ClusterEvent> registered, Log log) {
        var names = new LinkedHashSet<String>();
        registered.forEach(event -> names.add(event.resource()));
        names.removeAll(BUILT_IN);
        for (var name : names) {
            var kind = FOLLOWED.get(name);
            if (kind != null) {
                heard.put(kind, name);
            } else if (name.chars().filter(letter -> letter == '.').count() < 2) {
                log.error(null, "Incorrect event registration", "gvk", name);
            } else {
                log.info(0, "A plugin waits for a resource that is not followed", "gvk", name);
            }
        }
    }

    /// The name under which plugins hear of a kind; null where none wants to.
    @Nullable String nameOf(Kind kind) {
        return heard.get(kind);
    }
}
