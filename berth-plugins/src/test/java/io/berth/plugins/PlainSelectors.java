package io.berth.plugins;

import io.berth.api.handle.Listers;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodController;
import io.berth.api.model.Service;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Which pods belong together by their services and controllers, worked out anew each time from the
/// words of H-14.
public final class PlainSelectors {
    private PlainSelectors() {}

    /// The services that the pod belongs to.
    public static List<Service> services(Pod pod, Listers listers) {
        var matching = new ArrayList<Service>();
        for (var service : listers.of(Kind.SERVICE, Service.class).in(pod.namespace())) {
            if (service.selector() != null && hasAll(pod.labels(), service.selector())) {
                matching.add(service);
            }
        }
        return matching;
    }

    public static boolean hasAll(Labels labels, Labels wanted) {
        return wanted.toMap().entrySet().stream()
                .allMatch(entry -> entry.getValue().equals(labels.value(entry.getKey())));
    }

    /// The merged selector, empty where there is nothing to go by.
    public static LabelSelector of(Pod pod, Listers listers) {
        var labels = new LinkedHashMap<String, String>();
        for (var service : services(pod, listers)) {
            if (service.selector() != null) {
                labels.putAll(service.selector().toMap());
            }
        }
        var more = new ArrayList<Requirement>();
        var owner = pod.controller();
        if (owner != null) {
            var type = owner.apiVersion() + "/" + owner.kind();
            for (var requirement : ofController(type, owner.name(), pod, listers)) {
                if (type.equals("v1/ReplicationController")) {
                    labels.put(requirement.key(), requirement.values().getFirst());
                } else {
                    more.add(requirement);
                }
            }
        }
        return LabelSelector.of(labels, more);
    }

    private static List<Requirement> ofController(
            String type, String name, Pod pod, Listers listers) {
        var workload =
                switch (type) {
                    case "v1/ReplicationController" ->
                            listers.of(Kind.REPLICATION_CONTROLLER, PodController.class)
                                    .get(pod.namespace(), name);
                    case "apps/v1/ReplicaSet" ->
                            listers.of(Kind.REPLICA_SET, PodController.class)
                                    .get(pod.namespace(), name);
                    case "apps/v1/StatefulSet" ->
                            listers.of(Kind.STATEFUL_SET, PodController.class)
                                    .get(pod.namespace(), name);
                    default -> null;
                };
        return workload == null ? List.of() : workload.selector().requirements();
    }
}
