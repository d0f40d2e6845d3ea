package io.berth.testkit;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.Pod;
import io.berth.api.model.PodBuilder;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.PodSpecBuilder;
import io.berth.api.spec.Toleration;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Builds pods in the words of a test: `pod("web").cpu("500m").label("app", "web").build()`.
public final class Pods {
    private final PodBuilder pod;
    private final PodSpecBuilder spec = PodSpec.builder();
    private final Map<String, Quantity> requests = new LinkedHashMap<>();
    private final List<HostPort> hostPorts = new ArrayList<>();
    private final List<Container> moreContainers = new ArrayList<>();
    private Labels labels = Labels.EMPTY;
    private String image = "registry.k8s.io/pause:3.10";
    private NodeSelector required = new NodeSelector(List.of());
    private final List<NodeSelector.Preferred> preferredNodes = new ArrayList<>();
    private final List<Affinity.PodTerm> requiredPods = new ArrayList<>();
    private final List<Affinity.WeightedPodTerm> preferredPods = new ArrayList<>();
    private final List<Affinity.PodTerm> requiredAntiPods = new ArrayList<>();
    private final List<Affinity.WeightedPodTerm> preferredAntiPods = new ArrayList<>();

    private Pods(String namespace, String name) {
        pod = Pod.builder(namespace, name);
    }

    /// A pod in the namespace `default`.
    public static Pods pod(String name) {
        return new Pods("default", name);
    }

    public static Pods pod(String namespace, String name) {
        return new Pods(namespace, name);
    }

    public Pods cpu(String amount) {
        return request("cpu", amount);
    }

    public Pods memory(String amount) {
        return request("memory", amount);
    }

    public Pods request(String resource, String amount) {
        requests.put(resource, Quantity.parse(amount));
        return this;
    }

    public Pods image(String name) {
        image = name;
        return this;
    }

    public Pods container(Container container) {
        moreContainers.add(container);
        return this;
    }

    public Pods hostPort(int port) {
        hostPorts.add(new HostPort("", "", port));
        return this;
    }

    public Pods label(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public Pods priority(int value) {
        spec.priority(value);
        return this;
    }

    public Pods scheduler(String name) {
        spec.schedulerName(name);
        return this;
    }

    public Pods gate(String name) {
        spec.schedulingGate(name);
        return this;
    }

    public Pods nodeSelector(String key, String value) {
        spec.nodeSelector(Labels.of(key, value));
        return this;
    }

    public Pods tolerates(String key, String operator, String value, String effect) {
        spec.toleration(new Toleration(key, operator, value, effect));
        return this;
    }

    public Pods volume(Volume volume) {
        spec.volume(volume);
        return this;
    }

    /// Adds a term to the required node affinity (terms are alternatives).
    public Pods requiresNode(Requirement... expressions) {
        var terms = new ArrayList<>(required.terms());
        terms.add(new NodeSelector.Term(List.of(expressions), List.of()));
        required = new NodeSelector(terms);
        return this;
    }

    public Pods requiresNodeNamed(String name) {
        var field =
                new Requirement(
                        NodeSelector.Term.NAME_FIELD, Requirement.Operator.IN, List.of(name));
        var terms = new ArrayList<>(required.terms());
        terms.add(new NodeSelector.Term(List.of(), List.of(field)));
        required = new NodeSelector(terms);
        return this;
    }

    public Pods prefersNode(int weight, Requirement... expressions) {
        preferredNodes.add(
                new NodeSelector.Preferred(
                        weight, new NodeSelector.Term(List.of(expressions), List.of())));
        return this;
    }

    /// Required affinity to pods with a label, in the pod's own namespace.
    public Pods near(String topologyKey, String key, String value) {
        requiredPods.add(term(topologyKey, key, value));
        return this;
    }

    public Pods prefersNear(int weight, String topologyKey, String key, String value) {
        preferredPods.add(new Affinity.WeightedPodTerm(weight, term(topologyKey, key, value)));
        return this;
    }

    /// Required anti-affinity to pods with a label, in the pod's own namespace.
    public Pods away(String topologyKey, String key, String value) {
        requiredAntiPods.add(term(topologyKey, key, value));
        return this;
    }

    public Pods away(Affinity.PodTerm term) {
        requiredAntiPods.add(term);
        return this;
    }

    public Pods prefersAway(int weight, String topologyKey, String key, String value) {
        preferredAntiPods.add(new Affinity.WeightedPodTerm(weight, term(topologyKey, key, value)));
        return this;
    }

    private static Affinity.PodTerm term(String topologyKey, String key, String value) {
        return new Affinity.PodTerm(
                LabelSelector.matching(key, value), Set.of(), null, topologyKey);
    }

    public Pods spread(int maxSkew, String topologyKey, boolean hard, LabelSelector selector) {
        return spread(TopologySpreadConstraint.of(maxSkew, topologyKey, hard, selector));
    }

    public Pods spread(TopologySpreadConstraint constraint) {
        spec.topologySpread(constraint);
        return this;
    }

    /// Changes anything else of the spec.
    public Pods spec(Consumer<PodSpecBuilder> change) {
        change.accept(spec);
        return this;
    }

    /// Changes anything else of the pod.
    public Pods with(Consumer<PodBuilder> change) {
        change.accept(pod);
        return this;
    }

    public Pods uid(String uid) {
        pod.uid(uid);
        return this;
    }

    public Pods onNode(String name) {
        pod.nodeName(name);
        return this;
    }

    public Pod build() {
        spec.container(
                new Container("main", image, requests, Map.of(), List.copyOf(hostPorts), false));
        moreContainers.forEach(spec::container);
        boolean hasPodAffinity =
                !requiredPods.isEmpty()
                        || !preferredPods.isEmpty()
                        || !requiredAntiPods.isEmpty()
                        || !preferredAntiPods.isEmpty();
        if (hasPodAffinity || !required.terms().isEmpty() || !preferredNodes.isEmpty()) {
            spec.affinity(
                    new Affinity(
                            required.terms().isEmpty() ? null : required,
                            preferredNodes,
                            !preferredNodes.isEmpty(),
                            hasPodAffinity,
                            requiredPods,
                            preferredPods,
                            requiredAntiPods,
                            preferredAntiPods));
        }
        return pod.labels(labels).spec(spec.build()).build();
    }
}
