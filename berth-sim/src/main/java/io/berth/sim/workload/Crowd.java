package io.berth.sim.workload;

import io.berth.api.handle.ClusterException;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.model.Service;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import io.berth.api.spec.Volume;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.fault.Doorkeeper;
import io.berth.sim.scenario.Scenario;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import io.berth.testkit.Nodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Users, operators, controllers and other schedulers: everybody who changes the cluster besides
/// our scheduler and the kubelets. One act at a time, chosen by chance.
public final class Crowd {
    private static final List<String> NAMESPACES = List.of("default", "shop");

    private static final long IMAGES_SALT = 0x510E527FADE682D1L;
    private static final long VOLUMES_SALT = 0x6295C58D62B82175L;
    private static final long DEVICES_SALT = 0x2B3E6C1F9B05688CL;

    private final Scenario scenario;
    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;
    private final List<Template> templates = new ArrayList<>();
    private final Map<String, Template> templateOf = new HashMap<>();
    private final Images images;
    private final @Nullable VolumeCrowd volumes;
    private final @Nullable DeviceCrowd devices;
    private int podNumber;
    private int nodeNumber;

    public Crowd(
            Scenario scenario,
            ApiServer server,
            VirtualTime time,
            Chance chance,
            List<String> schedulers,
            Consumer<String> story) {
        this.scenario = scenario;
        this.server = server;
        this.time = time;
        this.chance = chance;
        this.story = story;
        // Of their own chance, so that a run stays as it was without them.
        this.images = new Images(new Chance(scenario.seed() ^ IMAGES_SALT));
        this.volumes = scenario.hasVolumes() ? volumes() : null;
        this.devices =
                scenario.hasDevices()
                        ? new DeviceCrowd(
                                server, time, new Chance(scenario.seed() ^ DEVICES_SALT), story)
                        : null;
        int kinds = chance.between(2, 8);
        for (int i = 0; i < kinds; i++) {
            templates.add(Template.draw(chance, schedulers, scenario));
        }
    }

    private VolumeCrowd volumes() {
        var own = new Chance(scenario.seed() ^ VOLUMES_SALT);
        return new VolumeCrowd(scenario.isStrict(), server, time, own, story);
    }

    /// Puts the cluster up.
    public void begin() {
        if (volumes != null) {
            volumes.begin();
        }
        if (devices != null) {
            devices.begin();
        }
        NAMESPACES.forEach(name -> server.put(new Namespace(name, Labels.of("team", name))));
        for (int i = 0; i < scenario.nodes(); i++) {
            addNode();
        }
        for (int i = 0; i < scenario.mostPods() / 3; i++) {
            createPod();
        }
        if (chance.happens(0.5)) {
            server.put(new Service("default", "web", Labels.of("app", "web")));
        }
    }

    /// There is at least one node, so that pods do not retry for ever.
    public void ensureNode() {
        if (server.nodes().isEmpty()) {
            addNode();
        }
    }

    /// Pods that nobody has placed yet: for asking what would become of them.
    public List<Pod> probes() {
        return Probes.of(templates);
    }

    public void act() {
        if (scenario.hasImages() && !server.nodes().isEmpty() && images.isTimeForChange()) {
            var node = images.changeOneOf(server.nodes());
            story.accept("~ node images " + node.name() + " " + node.images());
            server.put(node);
        }
        if (volumes != null && volumes.isTimeForChange()) {
            volumes.act();
        }
        if (devices != null && devices.isTimeForChange()) {
            devices.act();
        }
        actOtherwise();
    }

    private void actOtherwise() {
        int dice = chance.between(0, 99);
        if (dice < 38) {
            createPods();
        } else if (dice < 50) {
            deletePod();
        } else if (dice < 54) {
            recreatePod();
        } else if (dice < 70) {
            changePod();
        } else if (dice < 88) {
            changeNodes();
        } else if (dice < 93) {
            changeOthers();
        } else if (!scenario.isStrict()) {
            meddle();
        }
    }

    /// Adds a node, takes one away, or cordons one.
    public void changeOneNode() {
        var nodes = server.nodes();
        switch (chance.between(0, 2)) {
            case 0 -> addNode();
            case 1 -> {
                if (nodes.size() > 1) {
                    var node = chance.oneOf(nodes);
                    story.accept("- node " + node.name());
                    server.remove(Kind.NODE, node.name());
                }
            }
            default -> {
                if (!nodes.isEmpty()) {
                    var node = chance.oneOf(nodes);
                    put(node.toBuilder().unschedulable(!node.unschedulable()).build());
                }
            }
        }
    }

    private void createPods() {
        int count = chance.happens(0.2) ? chance.between(2, 8) : 1;
        for (int i = 0; i < count; i++) {
            createPod();
        }
    }

    private void createPod() {
        if (server.pods().size() < scenario.mostPods()) {
            var template = chance.oneOf(templates);
            if (scenario.hasPreemption() && chance.happens(0.4)) {
                template = template.withPriority(chance.oneOf(-5, 5, 50, 500));
            }
            var namespace = chance.happens(0.8) ? "default" : "shop";
            createPod(template, namespace, "p" + podNumber++);
        }
    }

    private void createPod(Template template, String namespace, String name) {
        var pod = dressed(template.pod(namespace, name, server.newUid()));
        templateOf.put(pod.uid(), template);
        story.accept("+ pod " + describe(pod));
        server.put(pod.toBuilder().createdAt(time.now()).build());
    }

    private Pod dressed(Pod pod) {
        var spec = pod.spec();
        if (volumes != null) {
            spec = volumes.dress(pod.namespace(), spec);
        }
        if (devices != null) {
            spec = devices.dress(pod.namespace(), spec);
        }
        return pod.toBuilder().spec(spec).build();
    }

    private static String describe(Pod pod) {
        var r = pod.requests().exact();
        return "%s %s cpu=%d mem=%d prio=%d %s %s"
                .formatted(
                        pod.key(),
                        pod.uid(),
                        r.cpuMillis(),
                        r.memoryBytes() >> 20,
                        pod.spec().priority(),
                        pod.labels(),
                        pod.spec().schedulerName());
    }

    private void deletePod() {
        onSomePod(pod -> {
            story.accept("- pod " + pod.key());
            if (!pod.isAssigned() && chance.happens(0.3)) {
                terminate(pod);
            } else if (chance.happens(0.2)) {
                server.remove(Kind.POD, pod.key());
            } else {
                server.delete(pod.key(), pod.uid());
            }
        });
    }

    /// Somebody has to tidy up first, so the pod stays for a while.
    private void terminate(Pod pod) {
        server.change(pod.key(), pod.uid(), p -> p.toBuilder().deletedAt(time.now()).build());
        time.in(
                chance.between(10, 3000),
                () -> {
                    var now = server.pod(pod.key());
                    if (now != null && now.uid().equals(pod.uid())) {
                        server.remove(Kind.POD, pod.key());
                    }
                });
    }

    /// As a stateful set does: the same name, another pod, perhaps before anybody noticed.
    private void recreatePod() {
        onSomePod(pod -> {
            var template = templateOf.getOrDefault(pod.uid(), templates.getFirst());
            story.accept("-+ pod " + pod.key());
            server.remove(Kind.POD, pod.key());
            Runnable again =
                    () -> {
                        if (server.pod(pod.key()) == null) {
                            createPod(template, pod.namespace(), pod.name());
                        }
                    };
            if (chance.happens(0.5)) {
                again.run();
            } else {
                time.in(chance.between(1, 500), again);
            }
        });
    }

    private void changePod() {
        onSomePod(pod -> {
            switch (chance.between(0, 4)) {
                case 0 -> {
                    story.accept("~ pod labels " + pod.key());
                    relabel(pod, "app", chance.oneOf(Template.APPS));
                }
                case 1 -> {
                    story.accept("~ pod tolerates " + pod.key());
                    var dedicated = new Toleration("dedicated", "Exists", "", "");
                    var chosen = chance.oneOf(dedicated, new Toleration("", "Exists", "", ""));
                    // The pools of plays may stay half published, and who wants all devices would
                    // never be at rest there.
                    var toleration = pod.spec().resourceClaims().isEmpty() ? chosen : dedicated;
                    change(
                            pod,
                            p ->
                                    p.toBuilder()
                                            .spec(
                                                    p.spec().toBuilder()
                                                            .toleration(toleration)
                                                            .build())
                                            .build());
                }
                case 2, 3 -> openGate(pod);
                default -> resize(pod);
            }
        });
    }

    private void relabel(Pod pod, String key, String value) {
        change(pod, p -> p.toBuilder().labels(p.labels().with(key, value)).build());
    }

    private void openGate(Pod pod) {
        var template = templateOf.get(pod.uid());
        if (template != null && !pod.spec().schedulingGates().isEmpty()) {
            story.accept("~ pod gate " + pod.key());
            templateOf.put(pod.uid(), template.withoutGate());
            respec(pod, template.withoutGate());
        }
    }

    private void resize(Pod pod) {
        var template = templateOf.get(pod.uid());
        if (template == null) {
            return;
        }
        boolean grows = !scenario.isStrict() && chance.happens(0.2);
        var resized =
                grows
                        ? template.withResources(template.cpuMillis() + 200, template.memoryMib())
                        : template.withResources(
                                template.cpuMillis() / 2, template.memoryMib() / 2);
        templateOf.put(pod.uid(), resized);
        story.accept("~ pod " + pod.key() + " cpu=" + resized.cpuMillis());
        respec(pod, resized);
    }

    private void respec(Pod pod, Template template) {
        var spec = template.pod(pod.namespace(), pod.name(), pod.uid()).spec();
        var change = spec.toBuilder();
        for (var added : pod.spec().tolerations()) {
            if (!spec.tolerations().contains(added)) {
                change.toleration(added);
            }
        }
        for (var volume : pod.spec().volumes()) {
            if (volume.source() instanceof Volume.Claim
                    || volume.source() instanceof Volume.Ephemeral) {
                change.volume(volume);
            }
        }
        pod.spec().resourceClaims().forEach(change::resourceClaim);
        change(pod, p -> p.toBuilder().spec(change.build()).build());
    }

    private void change(Pod pod, UnaryOperator<Pod> how) {
        server.change(
                pod.key(),
                pod.uid(),
                p -> how.apply(p).toBuilder().generation(p.generation() + 1).build());
    }

    private void onSomePod(Consumer<Pod> act) {
        var pods = server.pods();
        if (!pods.isEmpty()) {
            act.accept(chance.oneOf(pods));
        }
    }

    // --- nodes

    private void addNode() {
        var name = "n" + nodeNumber++;
        var node =
                Nodes.node(name)
                        .cpu(chance.oneOf("1", "2", "4"))
                        .memory(chance.oneOf("1Gi", "2Gi", "8Gi"))
                        .pods(chance.oneOf(4, 8, 110))
                        .label("disk", chance.oneOf("ssd", "hdd"))
                        .with(builder -> builder.uid(server.newUid()));
        if (chance.happens(0.9)) {
            node.zone("z" + chance.between(0, 2));
        }
        if (chance.happens(0.3)) {
            node.allocatable("example.com/gpu", "2");
        }
        if (chance.happens(0.15)) {
            node.taint("dedicated", "team", Taint.NO_SCHEDULE);
        }
        put(scenario.hasImages() ? images.anew(node.build()) : node.build());
        if (volumes != null) {
            volumes.nodeAdded(name);
        }
        if (devices != null) {
            devices.nodeAdded(name);
        }
    }

    private void put(Node node) {
        story.accept(
                "= node %s cpu=%d mem=%d pods=%d %s %s %s"
                        .formatted(
                                node.name(),
                                node.allocatable().cpuMillis(),
                                node.allocatable().memoryBytes() >> 20,
                                node.allocatable().pods(),
                                node.labels(),
                                node.taints(),
                                node.unschedulable() ? "cordoned" : ""));
        server.put(node);
    }

    private void changeNodes() {
        var nodes = server.nodes();
        if (nodes.isEmpty() || chance.happens(0.12) && nodes.size() < 12) {
            addNode();
            return;
        }
        var node = chance.oneOf(nodes);
        switch (chance.between(0, 9)) {
            case 0, 1 -> put(node.toBuilder().unschedulable(!node.unschedulable()).build());
            case 2 -> resize(node);
            case 3 ->
                    put(
                            node.toBuilder()
                                    .labels(
                                            node.labels()
                                                    .with(
                                                            Node.ZONE_LABEL,
                                                            "z" + chance.between(0, 3)))
                                    .build());
            case 4 ->
                    put(
                            node.toBuilder()
                                    .labels(node.labels().with("disk", chance.oneOf("ssd", "hdd")))
                                    .build());
            case 5, 6, 7 -> retaint(node);
            case 8 -> changeOtherFacts(node);
            default -> removeNode(node);
        }
    }

    private void changeOtherFacts(Node node) {
        var change = node.toBuilder();
        if (scenario.hasDoorkeeper() && chance.happens(0.7)) {
            change.labels(
                    node.labels().has(Doorkeeper.OPEN_LABEL)
                            ? node.labels().without(Doorkeeper.OPEN_LABEL)
                            : node.labels().with(Doorkeeper.OPEN_LABEL, "yes"));
        } else {
            change.annotations(Labels.of("beat", "" + time.elapsedMillis()))
                    .condition("Ready", chance.oneOf("True", "False"));
        }
        put(change.build());
    }

    private void removeNode(Node node) {
        if (server.nodes().size() < 2) {
            return;
        }
        story.accept("- node " + node.name());
        server.remove(Kind.NODE, node.name());
        if (chance.happens(0.5)) {
            // It comes back, as another object.
            time.in(
                    chance.between(0, 3000),
                    () -> put(node.toBuilder().uid(server.newUid()).build()));
        }
    }

    private void resize(Node node) {
        boolean shrinks = !scenario.isStrict() && chance.happens(0.3);
        var has = node.allocatable();
        put(
                node.toBuilder()
                        .allocatable(
                                new io.berth.api.amount.Resources(
                                        shrinks ? has.cpuMillis() / 2 : has.cpuMillis() + 500,
                                        shrinks
                                                ? has.memoryBytes() / 2
                                                : has.memoryBytes() + (256 << 20),
                                        has.ephemeralBytes(),
                                        shrinks ? has.pods() : has.pods() + 1,
                                        has.scalars()))
                        .build());
    }

    private void retaint(Node node) {
        var taints =
                node.taints().isEmpty()
                        ? List.of(
                                new Taint(
                                        "dedicated",
                                        chance.oneOf("team", "other"),
                                        chance.oneOf(
                                                Taint.NO_SCHEDULE,
                                                Taint.PREFER_NO_SCHEDULE,
                                                Taint.NO_EXECUTE)))
                        : List.<Taint>of();
        put(node.toBuilder().taints(taints).build());
    }

    // --- other kinds

    private void changeOthers() {
        var app = chance.oneOf(Template.APPS);
        switch (chance.between(0, 5)) {
            case 0, 1, 2 ->
                    server.put(
                            new PodDisruptionBudget(
                                    "default",
                                    "budget-" + app,
                                    LabelSelector.matching("app", app),
                                    chance.between(0, 2),
                                    disruptedPods()));
            case 5 -> relabelNamespace();
            case 3 -> server.remove(Kind.POD_DISRUPTION_BUDGET, "default/budget-" + app);
            default -> {
                if (server.find(Kind.SERVICE, "default/" + app) == null) {
                    server.put(new Service("default", app, Labels.of("app", app)));
                } else {
                    server.remove(Kind.SERVICE, "default/" + app);
                }
            }
        }
    }

    /// Somebody else is about to evict it.
    private Set<String> disruptedPods() {
        var pods = server.pods();
        return pods.isEmpty() || chance.happens(0.5) ? Set.of() : Set.of(chance.oneOf(pods).name());
    }

    private void relabelNamespace() {
        var name = chance.oneOf(NAMESPACES);
        var labels = Labels.of("team", name);
        server.put(
                new Namespace(
                        name, chance.happens(0.5) ? labels : labels.with(Probes.TIER, "gold")));
    }

    // --- what our scheduler cannot foresee

    private void meddle() {
        var nodes = server.nodes();
        if (nodes.isEmpty()) {
            return;
        }
        var node = chance.oneOf(nodes).name();
        if (chance.happens(0.5)) {
            if (server.pods().size() < scenario.mostPods()) {
                var template = chance.oneOf(templates);
                var pod = template.withoutGate().pod("default", "f" + podNumber++, server.newUid());
                story.accept("+ foreign pod on " + node + " " + describe(pod));
                server.put(
                        pod.toBuilder()
                                .spec(pod.spec().toBuilder().schedulerName("foreign").build())
                                .nodeName(node)
                                .build());
            }
            return;
        }
        onSomePod(pod -> {
            if (pod.isAssigned()) {
                return;
            }
            if (chance.happens(0.3)) {
                story.accept("~ pod nominated by others " + pod.key() + " " + node);
                server.change(
                        pod.key(), pod.uid(), p -> p.toBuilder().nominatedNodeName(node).build());
                return;
            }
            story.accept("bound by others " + pod.key() + " on " + node);
            try {
                server.bind(pod.key(), pod.uid(), node);
            } catch (ClusterException refused) {
                story.accept(String.valueOf(refused.getMessage()));
            }
        });
    }
}
