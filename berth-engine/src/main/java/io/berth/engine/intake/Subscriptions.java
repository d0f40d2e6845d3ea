package io.berth.engine.intake;

import io.berth.api.event.ClusterEvent;
import io.berth.api.handle.Log;
import io.berth.api.model.Kind;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which kinds besides pods and nodes can wake pods: those that plugins wait for by name (rule
/// E-73). The others are looked up by plugins, but nobody is told when they change.
///
/// A name is one that [ClusterEvent] has, or `<plural>.<version>.<group>`, such as `services.v1.`
/// or `replicasets.v1.apps`.
public final class Subscriptions {
    private static final Map<Kind, String> NAMED =
            Map.of(
                    Kind.PERSISTENT_VOLUME, ClusterEvent.PERSISTENT_VOLUME,
                    Kind.PERSISTENT_VOLUME_CLAIM, ClusterEvent.PERSISTENT_VOLUME_CLAIM,
                    Kind.CSI_NODE, ClusterEvent.CSI_NODE,
                    Kind.CSI_DRIVER, ClusterEvent.CSI_DRIVER,
                    Kind.VOLUME_ATTACHMENT, ClusterEvent.VOLUME_ATTACHMENT,
                    Kind.CSI_STORAGE_CAPACITY, ClusterEvent.CSI_STORAGE_CAPACITY,
                    Kind.STORAGE_CLASS, ClusterEvent.STORAGE_CLASS,
                    Kind.RESOURCE_CLAIM, ClusterEvent.RESOURCE_CLAIM,
                    Kind.RESOURCE_SLICE, ClusterEvent.RESOURCE_SLICE,
                    Kind.DEVICE_CLASS, ClusterEvent.DEVICE_CLASS);

    private static final Map<String, Kind> FOLLOWED =
            Arrays.stream(Kind.values())
                    .filter(kind -> kind != Kind.POD && kind != Kind.NODE)
                    .collect(
                            Collectors.toMap(
                                    kind -> NAMED.getOrDefault(kind, kind.resource()),
                                    kind -> kind));

    /// Pods and nodes are told of in any case; the others come with the plugins that need them.
    private static final Set<String> BUILT_IN =
            Set.of(ClusterEvent.ANY, ClusterEvent.POD, ClusterEvent.NODE);

    private final Map<Kind, String> heard = new TreeMap<>();

    /// @param registered what plugins wait for
    public Subscriptions(Collection<ClusterEvent> registered, Log log) {
        var names = new LinkedHashSet<String>();
        registered.forEach(event -> names.add(event.resource()));
        names.removeAll(BUILT_IN);
        for (var name : names) {
            var known = FOLLOWED.get(name);
            var kind = known != null ? known : Kind.parse(name);
            if (kind == null) {
                log.error(null, "Incorrect event registration", "gvk", name);
            } else if (kind != Kind.POD && kind != Kind.NODE) {
                heard.put(kind, name);
            }
        }
    }

    /// The kinds that plugins wait for.
    public Set<Kind> kinds() {
        return Collections.unmodifiableSet(heard.keySet());
    }

    /// The name under which plugins hear of a kind; null where none wants to.
    @Nullable String nameOf(Kind kind) {
        return heard.get(kind);
    }
}
