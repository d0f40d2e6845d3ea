package io.berth.api.spec;

import io.berth.api.amount.Quantity;
import io.berth.api.label.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builds a [PodSpec]. What is not set keeps the API's default.
public final class PodSpecBuilder {
    private String schedulerName = PodSpec.DEFAULT_SCHEDULER;
    private int priority;
    private boolean mayPreempt = true;
    private @Nullable Labels nodeSelector;
    private Affinity affinity = Affinity.NONE;
    private final List<Toleration> tolerations = new ArrayList<>();
    private final List<TopologySpreadConstraint> topologySpread = new ArrayList<>();
    private final List<String> schedulingGates = new ArrayList<>();
    private final List<Container> containers = new ArrayList<>();
    private final List<Container> initContainers = new ArrayList<>();
    private final Map<String, Quantity> overhead = new LinkedHashMap<>();
    private @Nullable Map<String, Quantity> podLevelRequests;
    private final List<Volume> volumes = new ArrayList<>();
    private final List<PodClaim> resourceClaims = new ArrayList<>();
    private boolean hostNetwork;
    private boolean hostUsers = true;
    private boolean restartsAllContainers;

    PodSpecBuilder() {}

    PodSpecBuilder(PodSpec.Fields from) {
        schedulerName = from.schedulerName();
        priority = from.priority();
        mayPreempt = from.mayPreempt();
        nodeSelector = from.nodeSelector();
        affinity = from.affinity();
        tolerations.addAll(from.tolerations());
        topologySpread.addAll(from.topologySpread());
        schedulingGates.addAll(from.schedulingGates());
        containers.addAll(from.containers());
        initContainers.addAll(from.initContainers());
        overhead.putAll(from.overhead());
        podLevelRequests = from.podLevelRequests();
        volumes.addAll(from.volumes());
        resourceClaims.addAll(from.resourceClaims());
        hostNetwork = from.hostNetwork();
        hostUsers = from.hostUsers();
        restartsAllContainers = from.restartsAllContainers();
    }

    public PodSpecBuilder schedulerName(String name) {
        schedulerName = name;
        return this;
    }

    public PodSpecBuilder priority(int value) {
        priority = value;
        return this;
    }

    public PodSpecBuilder mayPreempt(boolean value) {
        mayPreempt = value;
        return this;
    }

    public PodSpecBuilder nodeSelector(@Nullable Labels labels) {
        nodeSelector = labels;
        return this;
    }

    public PodSpecBuilder affinity(Affinity value) {
        affinity = value;
        return this;
    }

    public PodSpecBuilder toleration(Toleration toleration) {
        tolerations.add(toleration);
        return this;
    }

    public PodSpecBuilder topologySpread(TopologySpreadConstraint constraint) {
        topologySpread.add(constraint);
        return this;
    }

    /// These instead of all that there are.
    public PodSpecBuilder topologySpread(List<TopologySpreadConstraint> all) {
        topologySpread.clear();
        topologySpread.addAll(all);
        return this;
    }

    public PodSpecBuilder schedulingGate(String name) {
        schedulingGates.add(name);
        return this;
    }

    public PodSpecBuilder container(Container container) {
        containers.add(container);
        return this;
    }

    /// These instead of all that there are.
    public PodSpecBuilder containers(List<Container> all) {
        containers.clear();
        containers.addAll(all);
        return this;
    }

    public PodSpecBuilder initContainer(Container container) {
        initContainers.add(container);
        return this;
    }

    /// These instead of all that there are.
    public PodSpecBuilder initContainers(List<Container> all) {
        initContainers.clear();
        initContainers.addAll(all);
        return this;
    }

    public PodSpecBuilder overhead(String resource, Quantity amount) {
        overhead.put(resource, amount);
        return this;
    }

    public PodSpecBuilder podLevelRequests(@Nullable Map<String, Quantity> requests) {
        podLevelRequests = requests;
        return this;
    }

    public PodSpecBuilder volume(Volume volume) {
        volumes.add(volume);
        return this;
    }

    /// In place of those there are.
    public PodSpecBuilder volumes(List<Volume> all) {
        volumes.clear();
        volumes.addAll(all);
        return this;
    }

    public PodSpecBuilder resourceClaim(PodClaim claim) {
        resourceClaims.add(claim);
        return this;
    }

    public PodSpecBuilder hostNetwork(boolean value) {
        hostNetwork = value;
        return this;
    }

    public PodSpecBuilder hostUsers(boolean value) {
        hostUsers = value;
        return this;
    }

    public PodSpecBuilder restartsAllContainers(boolean value) {
        restartsAllContainers = value;
        return this;
    }

    public PodSpec build() {
        return PodSpec.of(
                new PodSpec.Fields(
                        schedulerName,
                        priority,
                        mayPreempt,
                        nodeSelector,
                        affinity,
                        List.copyOf(tolerations),
                        List.copyOf(topologySpread),
                        List.copyOf(schedulingGates),
                        List.copyOf(containers),
                        List.copyOf(initContainers),
                        Map.copyOf(overhead),
                        podLevelRequests == null ? null : Map.copyOf(podLevelRequests),
                        List.copyOf(volumes),
                        List.copyOf(resourceClaims),
                        hostNetwork,
                        hostUsers,
                        restartsAllContainers,
                        hostPorts()));
    }

    private List<HostPort> hostPorts() {
        var ports = new ArrayList<HostPort>();
        for (var container : initContainers) {
            if (container.restartable()) {
                ports.addAll(container.hostPorts());
            }
        }
        for (var container : containers) {
            ports.addAll(container.hostPorts());
        }
        ports.removeIf(port -> port.port() <= 0);
        return List.copyOf(ports);
    }
}
