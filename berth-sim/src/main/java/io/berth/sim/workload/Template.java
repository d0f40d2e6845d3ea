package io.berth.sim.workload;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.sim.fault.Doorkeeper;
import io.berth.sim.fault.SimulatedExtender;
import io.berth.sim.kubelet.Kubelet;
import io.berth.sim.scenario.Scenario;
import io.berth.sim.time.Chance;
import io.berth.testkit.Pods;
import java.util.List;
import java.util.Set;

/// What pods of one kind look like: a controller's template.
///
/// @param wish what the pods ask for besides resources
/// @param image of the containers; empty for one that no node has
record Template(
        String scheduler,
        Labels labels,
        int cpuMillis,
        int memoryMib,
        int gpus,
        int priority,
        boolean mayPreempt,
        Wish wish,
        String detail,
        boolean hasGate,
        String image) {
    /// One special wish per template keeps failures easy to read.
    enum Wish {
        NONE,
        HOST_PORT,
        NODE_SELECTOR,
        NODE_AFFINITY,
        TOLERATES,
        NEAR,
        AWAY,
        AWAY_FROM_ALL,
        SPREAD,
        SPREAD_TWICE,
        SPREAD_OVER_MANY,
        AWAY_FROM_TEAM,
        SOFT
    }

    static final List<String> APPS = List.of("web", "db", "cache", "batch");
    static final String GATE = "quota";

    static Template draw(Chance chance, List<String> schedulers, Scenario scenario) {
        var labels = Labels.of("app", chance.oneOf(APPS));
        if (chance.happens(0.15)) {
            labels = labels.with(Kubelet.JOB_LABEL, "yes");
        }
        if (scenario.hasDoorkeeper() && chance.happens(0.3)) {
            labels = labels.with(Doorkeeper.LABEL, "yes");
        }
        if (scenario.hasExtenders() && chance.happens(0.4)) {
            labels = labels.with(SimulatedExtender.LABEL, "yes");
        }
        return new Template(
                chance.oneOf(schedulers),
                labels,
                chance.oneOf(0, 100, 250, 500, 1000, 1900),
                chance.oneOf(0, 64, 256, 1024),
                chance.happens(0.1) ? chance.between(1, 2) : 0,
                scenario.hasPreemption() ? chance.oneOf(-5, 0, 0, 10, 100) : 0,
                chance.happens(0.9),
                chance.oneOf(Wish.values()),
                chance.oneOf(APPS),
                chance.happens(0.1),
                scenario.hasImages() ? Images.of(labels) : "");
    }

    Template withResources(int cpu, int memory) {
        return new Template(
                scheduler,
                labels,
                cpu,
                memory,
                gpus,
                priority,
                mayPreempt,
                wish,
                detail,
                hasGate,
                image);
    }

    Template withPriority(int other) {
        return new Template(
                scheduler,
                labels,
                cpuMillis,
                memoryMib,
                gpus,
                other,
                mayPreempt,
                wish,
                detail,
                hasGate,
                image);
    }

    Template withoutGate() {
        return new Template(
                scheduler,
                labels,
                cpuMillis,
                memoryMib,
                gpus,
                priority,
                mayPreempt,
                wish,
                detail,
                false,
                image);
    }

    Pod pod(String namespace, String name, String uid) {
        var pod =
                Pods.pod(namespace, name)
                        .uid(uid)
                        .scheduler(scheduler)
                        .priority(priority)
                        .spec(spec -> spec.mayPreempt(mayPreempt));
        labels.forEach(pod::label);
        if (cpuMillis > 0) {
            pod.cpu(cpuMillis + "m");
        }
        if (memoryMib > 0) {
            pod.memory(memoryMib + "Mi");
        }
        if (gpus > 0) {
            pod.request("example.com/gpu", "" + gpus);
        }
        if (hasGate) {
            pod.gate(GATE);
        }
        if (!image.isEmpty()) {
            pod.image(image);
            if (mayPreempt) {
                pod.spec(spec -> spec.volume(Images.volume(detail)));
            }
        }
        addWish(pod);
        return pod.build();
    }

    private void addWish(Pods pod) {
        switch (wish) {
            case NONE -> {}
            case HOST_PORT -> pod.hostPort(8000 + detail.length());
            case NODE_SELECTOR -> pod.nodeSelector("disk", detail.length() > 3 ? "ssd" : "hdd");
            case NODE_AFFINITY ->
                    pod.requiresNode(
                            new Requirement(
                                    Node.ZONE_LABEL,
                                    Requirement.Operator.NOT_IN,
                                    List.of("z" + detail.length() % 3)));
            case TOLERATES -> pod.tolerates("dedicated", "Exists", "", "");
            case NEAR -> pod.near(zoneOrHost(), "app", detail);
            case AWAY -> pod.away(zoneOrHost(), "app", detail);
            case AWAY_FROM_ALL ->
                    pod.away(zoneOrHost(), "app", detail)
                            .away(Node.HOSTNAME_LABEL, "app", APPS.getFirst());
            case SPREAD -> pod.spread(1 + detail.length() % 2, zoneOrHost(), true, ownApp());
            case SPREAD_TWICE ->
                    pod.spread(1, Node.ZONE_LABEL, true, ownApp())
                            .spread(
                                    new TopologySpreadConstraint(
                                            2,
                                            Node.HOSTNAME_LABEL,
                                            true,
                                            ownApp(),
                                            1 + detail.length() % 3,
                                            detail.length() % 2 == 0,
                                            detail.length() > 3,
                                            List.of()));
            // More zones than there are at most times: those that come make room.
            case SPREAD_OVER_MANY ->
                    pod.spread(
                            new TopologySpreadConstraint(
                                    1, Node.ZONE_LABEL, true, ownApp(), 4, true, false, List.of()));
            case AWAY_FROM_TEAM ->
                    pod.away(
                            new Affinity.PodTerm(
                                    LabelSelector.matching("app", detail),
                                    Set.of(),
                                    LabelSelector.matching("team", "shop"),
                                    zoneOrHost()));
            case SOFT ->
                    pod.spread(1, Node.ZONE_LABEL, false, ownApp())
                            .prefersNear(10, Node.ZONE_LABEL, "app", detail)
                            .prefersAway(20, Node.HOSTNAME_LABEL, "app", detail)
                            .prefersNode(30, Requirement.is("disk", "ssd"));
        }
    }

    private String zoneOrHost() {
        return gpus == 0 && detail.length() > 2 ? Node.ZONE_LABEL : Node.HOSTNAME_LABEL;
    }

    private LabelSelector ownApp() {
        return LabelSelector.matching("app", java.util.Objects.requireNonNull(labels.value("app")));
    }
}
