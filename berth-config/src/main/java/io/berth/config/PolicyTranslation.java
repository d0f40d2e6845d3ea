package io.berth.config;

import io.berth.config.gate.FeatureGates;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Problems;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Turns the predicates and priorities of a policy into plugins of a profile (rules P-115 to
/// P-117).
final class PolicyTranslation {
    private static final String LABEL_PRESENCE = "CheckNodeLabelPresence";
    private static final String SERVICE_AFFINITY = "CheckServiceAffinity";
    private static final String RATIO = "RequestedToCapacityRatio";
    private static final String SPREAD = "PodTopologySpread";

    /// In the order in which they run.
    private static final List<String> PREDICATES =
            List.of(
                    "CheckNodeUnschedulable",
                    "GeneralPredicates",
                    "HostName",
                    "PodFitsHostPorts",
                    "MatchNodeSelector",
                    "PodFitsResources",
                    "NoDiskConflict",
                    "PodToleratesNodeTaints",
                    LABEL_PRESENCE,
                    SERVICE_AFFINITY,
                    "MaxEBSVolumeCount",
                    "MaxGCEPDVolumeCount",
                    "MaxCSIVolumeCountPred",
                    "MaxAzureDiskVolumeCount",
                    "MaxCinderVolumeCount",
                    "CheckVolumeBinding",
                    "NoVolumeZoneConflict",
                    "EvenPodsSpread",
                    "MatchInterPodAffinity");

    private static final Set<String> MANDATORY =
            Set.of("PodToleratesNodeTaints", "CheckNodeUnschedulable");

    private static final Set<String> DEFAULT_PREDICATES =
            Set.of(
                    "NoVolumeZoneConflict",
                    "MaxEBSVolumeCount",
                    "MaxGCEPDVolumeCount",
                    "MaxAzureDiskVolumeCount",
                    "MaxCSIVolumeCountPred",
                    "MatchInterPodAffinity",
                    "NoDiskConflict",
                    "GeneralPredicates",
                    "PodToleratesNodeTaints",
                    "CheckVolumeBinding",
                    "CheckNodeUnschedulable",
                    "EvenPodsSpread");

    private static final Map<String, Long> DEFAULT_PRIORITIES =
            Map.of(
                    "SelectorSpreadPriority", 1L,
                    "InterPodAffinityPriority", 1L,
                    "LeastRequestedPriority", 1L,
                    "BalancedResourceAllocation", 1L,
                    "NodePreferAvoidPodsPriority", 10000L,
                    "NodeAffinityPriority", 1L,
                    "TaintTolerationPriority", 1L,
                    "ImageLocalityPriority", 1L,
                    "EvenPodsSpreadPriority", 2L);

    private static final Set<String> PRIORITIES =
            Set.of(
                    "SelectorSpreadPriority",
                    "EvenPodsSpreadPriority",
                    "InterPodAffinityPriority",
                    "LeastRequestedPriority",
                    "MostRequestedPriority",
                    "BalancedResourceAllocation",
                    "NodePreferAvoidPodsPriority",
                    "NodeAffinityPriority",
                    "TaintTolerationPriority",
                    "ImageLocalityPriority",
                    RATIO,
                    "NodeLabel",
                    "ServiceAffinity");

    private final FeatureGates gates;
    private final Problems problems;
    private final PointLists plugins = new PointLists();
    private final Map<String, Value> arguments = new LinkedHashMap<>();
    private final Map<String, List<String>> labels = new TreeMap<>();

    PolicyTranslation(FeatureGates gates, Problems problems) {
        this.gates = gates;
        this.problems = problems;
    }

    /// @return `plugins` and `pluginConfig` of a v1 profile
    Fields profile(Fields policy) {
        plugins.add("PrioritySort", "queueSort");
        plugins.add("DefaultPreemption", "postFilter");
        plugins.add("DefaultBinder", "bind");
        var predicates = predicates(policy);
        var priorities = priorities(policy);
        PREDICATES.stream().filter(predicates::contains).forEach(this::predicate);
        priorities.forEach(this::priority);
        labelArguments();
        long symmetric = policy.number("hardPodAffinitySymmetricWeight", 0);
        if (symmetric != 0) {
            arguments.put(
                    "InterPodAffinity", Value.of("hardPodAffinityWeight", Value.of(symmetric)));
        }
        var sets = plugins.sets();
        sets.put(ProfileConfiguration.MULTI_POINT, OlderVersion.newer(gates));
        return new OldNames("policy", "v1", problems).modern(sets, arguments);
    }

    private Set<String> predicates(Fields policy) {
        var keys = new HashSet<>(MANDATORY);
        if (!policy.has("predicates")) {
            keys.addAll(DEFAULT_PREDICATES);
            return keys;
        }
        for (var predicate : policy.objects("predicates")) {
            keys.add(predicateKey(predicate));
        }
        return keys;
    }

    /// A name that is known, or that of the family which the argument makes it a member of.
    private String predicateKey(Fields predicate) {
        var name = predicate.text("name", "");
        var argument = predicate.fields("argument");
        boolean affinity = argument.has("serviceAffinity");
        boolean presence = argument.has("labelsPresence");
        if (predicate.has("argument") && affinity == presence) {
            problems.add(
                    "exactly 1 predicate argument is required, numArgs: %d, predicate %s"
                            .formatted(affinity ? 2 : 0, name));
            return name;
        }
        var known = name.equals("PodFitsPorts") ? "PodFitsHostPorts" : name;
        if (PREDICATES.contains(known)) {
            return known;
        }
        if (affinity) {
            labels("ServiceAffinity.affinityLabels")
                    .addAll(argument.fields("serviceAffinity").texts("labels"));
            return SERVICE_AFFINITY;
        }
        if (presence) {
            var given = argument.fields("labelsPresence");
            labels(
                            given.flag("presence", false)
                                    ? "NodeLabel.presentLabels"
                                    : "NodeLabel.absentLabels")
                    .addAll(given.texts("labels"));
            return LABEL_PRESENCE;
        }
        problems.add("predicate type not found for " + JsonWriter.quoted(name));
        return name;
    }

    /// Weights by priority, in alphabetical order.
    private Map<String, Long> priorities(Fields policy) {
        if (!policy.has("priorities")) {
            return new TreeMap<>(DEFAULT_PRIORITIES);
        }
        var weights = new TreeMap<String, Long>();
        for (var priority : policy.objects("priorities")) {
            if (!priority.text("name", "").equals("EqualPriority")) {
                weights.put(priorityKey(priority), priority.number("weight", 0));
            }
        }
        return weights;
    }

    private String priorityKey(Fields priority) {
        var name = priority.text("name", "");
        var argument = priority.fields("argument");
        long given =
                List.of(
                                "serviceAntiAffinity",
                                "labelPreference",
                                "requestedToCapacityRatioArguments")
                        .stream()
                        .filter(argument::has)
                        .count();
        if (priority.has("argument") && given != 1) {
            problems.add(
                    "exactly 1 priority argument is required, numArgs: %d, priority %s"
                            .formatted(given, name));
            return name;
        }
        var known = name.equals("ServiceSpreadingPriority") ? "SelectorSpreadPriority" : name;
        if (PRIORITIES.contains(known)) {
            return known;
        }
        if (argument.has("serviceAntiAffinity")) {
            labels("ServiceAffinity.antiAffinityLabelsPreference")
                    .add(argument.fields("serviceAntiAffinity").text("label", ""));
            return "ServiceAffinity";
        }
        if (argument.has("labelPreference")) {
            var preference = argument.fields("labelPreference");
            labels(
                            preference.flag("presence", false)
                                    ? "NodeLabel.presentLabelsPreference"
                                    : "NodeLabel.absentLabelsPreference")
                    .add(preference.text("label", ""));
            return "NodeLabel";
        }
        if (argument.has("requestedToCapacityRatioArguments")) {
            arguments.put(RATIO, argument.fields("requestedToCapacityRatioArguments"));
            return RATIO;
        }
        problems.add("priority type not found for " + JsonWriter.quoted(name));
        return name;
    }

    private void predicate(String key) {
        switch (key) {
            case "GeneralPredicates" -> {
                plugins.add("NodeResourcesFit", "filter", "preFilter");
                plugins.add("NodeName", "filter");
                plugins.add("NodePorts", "filter", "preFilter");
                plugins.add("NodeAffinity", "filter", "preFilter");
            }
            case "PodFitsResources" -> plugins.add("NodeResourcesFit", "filter", "preFilter");
            case "HostName" -> plugins.add("NodeName", "filter");
            case "PodFitsHostPorts" -> plugins.add("NodePorts", "filter", "preFilter");
            case "MatchNodeSelector" -> plugins.add("NodeAffinity", "filter", "preFilter");
            case "PodToleratesNodeTaints" -> plugins.add("TaintToleration", "filter");
            case "CheckNodeUnschedulable" -> plugins.add("NodeUnschedulable", "filter");
            case "CheckVolumeBinding" ->
                    plugins.add("VolumeBinding", "preFilter", "filter", "reserve", "preBind");
            case "NoDiskConflict" -> plugins.add("VolumeRestrictions", "filter", "preFilter");
            case "NoVolumeZoneConflict" -> plugins.add("VolumeZone", "filter");
            case "MaxCSIVolumeCountPred" -> plugins.add("NodeVolumeLimits", "filter");
            case "MaxEBSVolumeCount" -> plugins.add("EBSLimits", "filter");
            case "MaxGCEPDVolumeCount" -> plugins.add("GCEPDLimits", "filter");
            case "MaxAzureDiskVolumeCount" -> plugins.add("AzureDiskLimits", "filter");
            case "MaxCinderVolumeCount" -> plugins.add("CinderLimits", "filter");
            case "MatchInterPodAffinity" -> plugins.add("InterPodAffinity", "filter", "preFilter");
            case LABEL_PRESENCE -> plugins.add("NodeLabel", "filter");
            case SERVICE_AFFINITY -> plugins.add("ServiceAffinity", "filter", "preFilter");
            case "EvenPodsSpread" -> plugins.add(SPREAD, "preFilter", "filter");
            default -> throw new IllegalStateException("no plugin for predicate " + key);
        }
    }

    private void priority(String key, long weight) {
        switch (key) {
            case "SelectorSpreadPriority" -> selectorSpread(weight);
            case "EvenPodsSpreadPriority" -> {
                plugins.score(SPREAD, weight).add(SPREAD, "preScore");
                arguments.putIfAbsent(SPREAD, defaulting("List"));
            }
            case "InterPodAffinityPriority" ->
                    plugins.score("InterPodAffinity", weight).add("InterPodAffinity", "preScore");
            case "LeastRequestedPriority" -> plugins.score(OldNames.LEAST, weight);
            case "MostRequestedPriority" -> plugins.score(OldNames.MOST, weight);
            case RATIO -> plugins.score(OldNames.RATIO, weight);
            case "BalancedResourceAllocation" ->
                    plugins.score("NodeResourcesBalancedAllocation", weight)
                            .add("NodeResourcesBalancedAllocation", "preScore");
            case "NodePreferAvoidPodsPriority" -> plugins.score("NodePreferAvoidPods", weight);
            case "NodeAffinityPriority" ->
                    plugins.score("NodeAffinity", weight).add("NodeAffinity", "preScore");
            case "TaintTolerationPriority" ->
                    plugins.score("TaintToleration", weight).add("TaintToleration", "preScore");
            case "ImageLocalityPriority" -> plugins.score("ImageLocality", weight);
            case "NodeLabel" ->
                    plugins.score(
                            "NodeLabel",
                            weight
                                    * (labels("NodeLabel.presentLabelsPreference").size()
                                            + labels("NodeLabel.absentLabelsPreference").size()));
            case "ServiceAffinity" ->
                    plugins.score(
                            "ServiceAffinity",
                            weight * labels("ServiceAffinity.antiAffinityLabelsPreference").size());
            default -> {
                // Told already.
            }
        }
    }

    private void selectorSpread(long weight) {
        plugins.score(SPREAD, weight).add(SPREAD, "preScore");
        arguments.put(SPREAD, defaulting("System"));
    }

    private static Fields defaulting(String type) {
        return Value.of("defaultingType", Value.of(type));
    }

    private List<String> labels(String field) {
        return labels.computeIfAbsent(field, _ -> new ArrayList<>());
    }

    private void labelArguments() {
        labels.forEach((field, values) -> {
            if (!values.isEmpty()) {
                int dot = field.indexOf('.');
                var plugin = field.substring(0, dot);
                var args = arguments.get(plugin) instanceof Fields fields ? fields : Fields.EMPTY;
                arguments.put(
                        plugin,
                        args.with(
                                field.substring(dot + 1),
                                Value.of(values.stream().map(Value::of).toList())));
            }
        });
    }
}
