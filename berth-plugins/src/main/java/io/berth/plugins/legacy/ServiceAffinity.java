package io.berth.plugins.legacy;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.label.Labels;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.Service;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Keeps the pods of a service on nodes that agree in some labels, and spreads them over the values
/// of others.
public final class ServiceAffinity implements PreFilter, Filter, ClusterScore, Normalize, Events {
    public static final String NAME = "ServiceAffinity";

    static final Refusal NOT_MATCHED = Refusal.mayPreempt("node(s) didn't match service affinity");

    private static final Cycle.Key<Company> COMPANY = new Cycle.Key<>(Company.class);

    private final ServiceAffinityArguments arguments;
    private final Handle handle;
    private final Lister<Service> services;

    public ServiceAffinity(ServiceAffinityArguments arguments, Handle handle) {
        this.arguments = arguments;
        this.handle = handle;
        this.services = handle.listers().of(Kind.SERVICE, Service.class);
    }

    /// Pods of the same namespace that have all labels of the incoming pod.
    private static final class Company implements Cycle.Note {
        private final List<Pod> pods;
        private final boolean hasServices;

        Company(List<Pod> pods, boolean hasServices) {
            this.pods = pods;
            this.hasServices = hasServices;
        }

        @Override
        public Cycle.Note copy() {
            return new Company(new ArrayList<>(pods), hasServices);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        if (arguments.affinityLabels().isEmpty()) {
            return PreFilterVerdict.SKIP;
        }
        var company = new ArrayList<Pod>();
        for (var node : handle.nodes().all()) {
            for (var other : node.pods()) {
                if (isCompany(pod, other)) {
                    company.add(other);
                }
            }
        }
        cycle.put(COMPANY, new Company(company, !selectors(pod).isEmpty()));
        return PreFilterVerdict.PASS;
    }

    private static boolean isCompany(Pod pod, Pod other) {
        return other.namespace().equals(pod.namespace()) && hasAll(other.labels(), pod.labels());
    }

    @Override
    public WhatIf whatIf() {
        return new WhatIf() {
            @Override
            public void podAdded(Cycle cycle, Pod pod, Pod other, NodeView node) {
                if (isCompany(pod, other)) {
                    cycle.read(COMPANY).pods.add(other.onNode(node.name()));
                }
            }

            @Override
            public void podRemoved(Cycle cycle, Pod pod, Pod other, NodeView node) {
                cycle.read(COMPANY).pods.removeIf(known -> known.uid().equals(other.uid()));
            }
        };
    }

    @Override
    public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
        if (arguments.affinityLabels().isEmpty()) {
            return Verdict.PASS;
        }
        var wanted = new LinkedHashMap<String, String>();
        var selector = pod.spec().nodeSelector();
        for (var key : arguments.affinityLabels()) {
            var value = selector == null ? null : selector.value(key);
            if (value != null) {
                wanted.put(key, value);
            }
        }
        var company = cycle.read(COMPANY);
        if (wanted.size() < arguments.affinityLabels().size() && company.hasServices) {
            addLabelsOfCompany(wanted, company.pods, node);
        }
        return hasAll(node.node().labels(), Labels.of(wanted)) ? Verdict.PASS : NOT_MATCHED;
    }

    /// What the pod does not say itself follows from the node of the first of its company.
    private void addLabelsOfCompany(Map<String, String> wanted, List<Pod> company, NodeView node) {
        for (var other : company) {
            if (other.nodeName().equals(node.name()) && !isOn(other, node)) {
                continue;
            }
            var host = handle.nodes().byName(other.nodeName());
            if (host != null) {
                for (var key : arguments.affinityLabels()) {
                    var value = host.node().labels().value(key);
                    if (value != null) {
                        wanted.putIfAbsent(key, value);
                    }
                }
            }
            return;
        }
    }

    private static boolean isOn(Pod pod, NodeView node) {
        return node.pods().stream().anyMatch(other -> other.uid().equals(pod.uid()));
    }

    /// Pods and services that change may no longer belong together; nodes may come to agree.
    @Override
    public List<Registration> events() {
        return arguments.affinityLabels().isEmpty()
                ? List.of()
                : List.of(
                        Registration.of(ClusterEvent.POD, Action.UPDATE | Action.DELETE),
                        Registration.of(ClusterEvent.NODE, Action.ADD | Action.UPDATE_NODE_LABEL),
                        Registration.of("services.v1.", Action.UPDATE | Action.DELETE));
    }

    /// How many pods of the pod's first service are on the node.
    @Override
    public SlotScore scorer(Cycle cycle, Pod pod, NodeColumns columns) {
        var selectors = selectors(pod);
        // A selector that selects every pod counts none, as in all spreading.
        if (selectors.isEmpty() || selectors.getFirst().isEmpty()) {
            return slot -> 0;
        }
        var selector = selectors.getFirst();
        return slot ->
                columns.node(slot).pods().stream()
                        .filter(other -> other.namespace().equals(pod.namespace()))
                        .filter(other -> !other.isTerminating())
                        .filter(other -> hasAll(other.labels(), selector))
                        .count();
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        var labels = arguments.antiAffinityLabelsPreference();
        long[] values = scores.values();
        var reduced = new double[scores.count()];
        for (var label : labels) {
            reduce(scores, label, labels.size(), reduced);
        }
        for (int i = 0; i < scores.count(); i++) {
            values[i] = (long) reduced[i];
        }
    }

    private void reduce(Scores scores, String label, int labelCount, double[] reduced) {
        long total = 0;
        Map<String, Long> byValue = new HashMap<>();
        for (int i = 0; i < scores.count(); i++) {
            total += scores.values()[i];
            var value = node(scores, i).labels().value(label);
            if (value != null) {
                byValue.merge(value, scores.values()[i], Long::sum);
            }
        }
        for (int i = 0; i < scores.count(); i++) {
            var value = node(scores, i).labels().value(label);
            var count = value == null ? null : byValue.get(value);
            if (count != null) {
                double score =
                        total == 0
                                ? Score.MAX
                                : Score.MAX * ((double) (total - count) / (double) total);
                reduced[i] += score / labelCount;
            }
        }
    }

    private Node node(Scores scores, int i) {
        return handle.columns().node(scores.slots()[i]).node();
    }

    /// The selectors of the services that the pod belongs to.
    private List<Labels> selectors(Pod pod) {
        var selectors = new ArrayList<Labels>();
        for (var service : services.in(pod.namespace())) {
            var selector = service.selector();
            if (selector != null && hasAll(pod.labels(), selector)) {
                selectors.add(selector);
            }
        }
        return selectors;
    }

    private static boolean hasAll(Labels labels, Labels wanted) {
        boolean[] all = {true};
        wanted.forEach((key, value) -> all[0] &= value.equals(labels.value(key)));
        return all[0];
    }
}
