package io.berth.lab.explain;

import io.berth.api.amount.Resources;
import io.berth.api.explain.NodeExplanation;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.lab.explain.NodeReport.Barrier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Tells what keeps the pods that wait off one node.
public final class NodeStudy {
    private static final int MOST_TEMPLATES = 1000;
    private static final int MOST_EXAMPLES = 3;

    private final ClusterStudy study;
    private final Node node;
    private final Map<Template, List<Group.Detail>> verdicts = new HashMap<>();
    private final Map<List<String>, Members> barriers = new LinkedHashMap<>();
    private int takers;

    private record Template(String namespace, PodSpec spec, Labels labels) {}

    private static final class Members {
        private int count;
        private String text = "";
        private final List<String> examples = new ArrayList<>();
    }

    public NodeStudy(ClusterStudy study, Node node) {
        this.study = study;
        this.node = node;
    }

    public NodeReport report() {
        var pending = study.pending();
        for (var pod : pending) {
            var template = new Template(pod.namespace(), pod.spec(), pod.labels());
            if (verdicts.size() >= MOST_TEMPLATES && !verdicts.containsKey(template)) {
                continue;
            }
            note(pod, verdicts.computeIfAbsent(template, _ -> judge(pod)));
        }
        var here = study.cluster().podsOn(node.name());
        return new NodeReport(
                study.source(),
                node,
                sum(here),
                here.size(),
                pending.size(),
                takers,
                all(),
                study.uncertain());
    }

    /// Why the node does not take a pod; nothing where it would.
    private List<Group.Detail> judge(Pod pod) {
        var explanation = study.judge(pod);
        var groups = new Groups(explanation, Map.of(node.name(), node), new Details(pod));
        return explanation
                .node(node.name())
                .filter(one -> !one.isFeasible())
                .map(one -> details(groups, one))
                .orElseGet(() ->
                        explanation.nodes().isEmpty()
                                ? List.of(
                                        new Group.Detail(
                                                "", FailureText.wholeRefusal(explanation), 1))
                                : List.of());
    }

    private static List<Group.Detail> details(Groups groups, NodeExplanation one) {
        return groups.answers(one).stream()
                .map(answer ->
                        new Group.Detail(answer.plugin(), groups.detail(answer, one.name()), 1))
                .toList();
    }

    private void note(Pod pod, List<Group.Detail> details) {
        if (details.isEmpty()) {
            takers++;
            return;
        }
        var filters = details.stream().map(Group.Detail::plugin).toList();
        var members = barriers.computeIfAbsent(filters, _ -> new Members());
        members.count++;
        if (members.examples.size() < MOST_EXAMPLES) {
            members.examples.add(pod.key());
        }
        if (members.text.isEmpty()) {
            members.text =
                    details.stream()
                            .map(Group.Detail::text)
                            .reduce((a, b) -> a + "; " + b)
                            .orElse("");
        }
    }

    private List<Barrier> all() {
        return barriers.entrySet().stream()
                .map(entry ->
                        new Barrier(
                                entry.getValue().count,
                                entry.getKey(),
                                entry.getValue().text,
                                entry.getValue().examples))
                .sorted(Comparator.comparingInt(barrier -> -barrier.count()))
                .toList();
    }

    private static Resources sum(List<Pod> pods) {
        long cpu = 0;
        long memory = 0;
        long ephemeral = 0;
        var scalars = new TreeMap<String, Long>();
        for (var pod : pods) {
            var asked = pod.requests().exact();
            cpu += asked.cpuMillis();
            memory += asked.memoryBytes();
            ephemeral += asked.ephemeralBytes();
            asked.scalars().forEach((name, amount) -> scalars.merge(name, amount, Long::sum));
        }
        return new Resources(cpu, memory, ephemeral, pods.size(), scalars);
    }
}
