package io.berth.plugins.topology;

import io.berth.api.handle.Lister;
import io.berth.api.handle.Listers;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.Kind;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.PodController;
import io.berth.api.model.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The pods that a pod belongs together with: those that its services and its controller select
/// (H-14). Remembered until a service or controller changes.
public final class DefaultSelectors {
    /// What selects pods.
    public static final Set<Kind> KINDS =
            Set.of(Kind.SERVICE, Kind.REPLICATION_CONTROLLER, Kind.REPLICA_SET, Kind.STATEFUL_SET);

    private static final int REMEMBERED = 16_384;

    private record Key(String namespace, Labels labels, @Nullable Owner controller) {}

    private final Lister<Service> services;
    private final Map<Kind, Lister<PodController>> controllers = new TreeMap<>();
    private final Map<Key, LabelSelector> known = new HashMap<>();
    private long version;

    public DefaultSelectors(Listers listers) {
        this.services = listers.of(Kind.SERVICE, Service.class);
        KINDS.stream()
                .filter(kind -> kind != Kind.SERVICE)
                .forEach(kind -> controllers.put(kind, listers.of(kind, PodController.class)));
    }

    /// Changes whenever a service or controller does.
    private long currentVersion() {
        long sum = services.version();
        for (var lister : controllers.values()) {
            sum += lister.version();
        }
        return sum;
    }

    /// An empty selector where the pod has neither services nor a controller with a selector.
    public LabelSelector of(Pod pod) {
        long now = currentVersion();
        if (version != now || known.size() >= REMEMBERED) {
            known.clear();
            version = now;
        }
        var key = new Key(pod.namespace(), pod.labels(), pod.controller());
        var selector = known.get(key);
        if (selector == null) {
            selector = derive(pod);
            known.put(key, selector);
        }
        return selector;
    }

    private LabelSelector derive(Pod pod) {
        var merged = new TreeMap<String, String>();
        for (var service : services.in(pod.namespace())) {
            var selector = service.selector();
            if (selector != null && selects(selector, pod.labels())) {
                selector.forEach(merged::put);
            }
        }
        var ofController = ofController(pod);
        var owner = pod.controller();
        if (owner != null && kindOf(owner) == Kind.REPLICATION_CONTROLLER) {
            // Merged with the services' labels rather than added to them: its word is the last.
            ofController.forEach(requirement -> merged.remove(requirement.key()));
        }
        var requirements = new LinkedHashSet<Requirement>();
        merged.forEach((name, value) -> requirements.add(Requirement.is(name, value)));
        requirements.addAll(ofController);
        return LabelSelector.of(new ArrayList<>(requirements));
    }

    private static boolean selects(Labels selector, Labels labels) {
        boolean[] all = {true};
        selector.forEach((name, value) -> all[0] &= value.equals(labels.value(name)));
        return all[0];
    }

    private List<Requirement> ofController(Pod pod) {
        var owner = pod.controller();
        var kind = owner == null ? null : kindOf(owner);
        if (owner == null || kind == null) {
            return List.of();
        }
        var lister = Objects.requireNonNull(controllers.get(kind));
        var controller = lister.get(pod.namespace(), owner.name());
        if (controller == null
                || controller.selector().matchesNothing()
                || controller.selector().problem() != null) {
            return List.of();
        }
        return controller.selector().requirements();
    }

    private static @Nullable Kind kindOf(Owner owner) {
        return switch (owner.apiVersion() + " " + owner.kind()) {
            case "v1 ReplicationController" -> Kind.REPLICATION_CONTROLLER;
            case "apps/v1 ReplicaSet" -> Kind.REPLICA_SET;
            case "apps/v1 StatefulSet" -> Kind.STATEFUL_SET;
            default -> null;
        };
    }
}
