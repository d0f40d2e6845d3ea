package io.berth.plugins.dynamicresources;

import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.model.GeneratedClaims.Mapping;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The requests for devices that stand for a pod's extended resources, and which container uses
/// which (contract rule DR-63).
///
/// Containers that live on have a request each. Init containers that end come before these, so they
/// use the devices of containers that start with or after them; what they need beyond that they
/// share, since they run one after another.
///
/// @param requests by name
record ExtendedRequests(List<DeviceClaim.Request> requests, List<Mapping> mappings) {
    ExtendedRequests {
        requests = List.copyOf(requests);
        mappings = List.copyOf(mappings);
    }

    /// @param resources those that devices are to stand for
    /// @param classOf the class that stands for a resource; null where none does
    static ExtendedRequests of(
            PodSpec pod, Collection<String> resources, Function<String, @Nullable String> classOf) {
        var requests = new ArrayList<Ask>();
        var mappings = new ArrayList<Mapping>();
        for (String resource : new TreeSet<>(resources)) {
            String deviceClass = classOf.apply(resource);
            if (deviceClass != null) {
                new OfResource(pod, resource, deviceClass).addTo(requests, mappings);
            }
        }
        requests.sort(Comparator.comparing(Ask::name));
        return new ExtendedRequests(
                requests.stream()
                        .map(ask -> new DeviceClaim.Request(ask.name(), ask, List.of()))
                        .toList(),
                mappings);
    }

    /// The requests for one resource.
    private static final class OfResource {
        private final List<Container> containers;
        private final int initCount;
        private final String resource;
        private final String deviceClass;

        OfResource(PodSpec pod, String resource, String deviceClass) {
            this.containers = new ArrayList<>(pod.initContainers());
            this.initCount = containers.size();
            containers.addAll(pod.containers());
            this.resource = resource;
            this.deviceClass = deviceClass;
        }

        private boolean livesOn(int index) {
            return index >= initCount || containers.get(index).restartable();
        }

        void addTo(List<Ask> requests, List<Mapping> mappings) {
            var lasting = new ArrayList<@Nullable Ask>();
            for (int i = 0; i < containers.size(); i++) {
                lasting.add(livesOn(i) ? ask(i, List.of(), mappings) : null);
            }
            var shortMappings = new ArrayList<Mapping>();
            var names = new HashSet<String>();
            Ask largest = null;
            for (int i = 0; i < initCount; i++) {
                var ask =
                        livesOn(i)
                                ? null
                                : ask(i, lasting.subList(i, lasting.size()), shortMappings);
                if (ask != null) {
                    names.add(ask.name());
                    largest = largest == null || largest.count() < ask.count() ? ask : largest;
                }
            }
            if (largest != null) {
                requests.add(largest);
            }
            for (var ask : lasting) {
                if (ask != null) {
                    requests.add(ask);
                }
            }
            String shared = largest == null ? "" : largest.name();
            for (var mapping : shortMappings) {
                mappings.add(names.contains(mapping.request()) ? named(mapping, shared) : mapping);
            }
        }

        private static Mapping named(Mapping mapping, String request) {
            return new Mapping(mapping.container(), mapping.resource(), request);
        }

        /// What a container asks for beyond what it may use of others; null where that is enough.
        private @Nullable Ask ask(int index, List<@Nullable Ask> reusable, List<Mapping> mappings) {
            var container = containers.get(index);
            var amount = container.requests().get(resource);
            if (amount == null || amount.isZero() || !amount.isWhole()) {
                return null;
            }
            long missing = amount.value();
            for (var other : reusable) {
                if (other != null) {
                    missing -= other.count();
                    mappings.add(new Mapping(container.name(), resource, other.name()));
                    if (missing <= 0) {
                        return null;
                    }
                }
            }
            int place = new TreeSet<>(container.requests().keySet()).headSet(resource).size();
            String name = "container-" + index + "-request-" + place;
            mappings.add(new Mapping(container.name(), resource, name));
            return new Ask(
                    name, deviceClass, List.of(), Ask.EXACT_COUNT, missing, null, List.of(), null);
        }
    }
}
