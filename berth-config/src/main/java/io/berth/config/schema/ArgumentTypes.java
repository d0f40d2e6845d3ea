package io.berth.config.schema;

import static io.berth.config.schema.Type.BOOL;
import static io.berth.config.schema.Type.DURATION;
import static io.berth.config.schema.Type.INT32;
import static io.berth.config.schema.Type.INT64;
import static io.berth.config.schema.Type.STRING;
import static io.berth.config.schema.Type.STRINGS;
import static io.berth.config.schema.Type.named;

import io.berth.config.schema.Type.ListOf;
import io.berth.config.schema.Type.MapOf;
import io.berth.config.schema.Type.Struct;
import java.util.Map;
import java.util.TreeMap;

/// The arguments of plugins (section 3.4 of the contract), by the plugin's name.
public final class ArgumentTypes {
    static final Struct RESOURCE =
            Type.struct("v1.ResourceSpec").always("name", STRING).and("weight", INT64);
    static final ListOf SHAPE =
            new ListOf(
                    Type.struct("v1.UtilizationShapePoint")
                            .always("utilization", INT32)
                            .always("score", INT32));

    private static final ListOf REQUIREMENTS =
            new ListOf(
                    Type.struct("v1.NodeSelectorRequirement")
                            .always("key", STRING)
                            .always("operator", named("v1.NodeSelectorOperator"))
                            .and("values", STRINGS));
    private static final Struct TERM =
            Type.struct("v1.NodeSelectorTerm")
                    .and("matchExpressions", REQUIREMENTS)
                    .and("matchFields", REQUIREMENTS);
    private static final Struct NODE_AFFINITY =
            Type.struct("v1.NodeAffinity")
                    .and(
                            "requiredDuringSchedulingIgnoredDuringExecution",
                            Type.struct("v1.NodeSelector")
                                    .always("nodeSelectorTerms", new ListOf(TERM)))
                    .and(
                            "preferredDuringSchedulingIgnoredDuringExecution",
                            new ListOf(
                                    Type.struct("v1.PreferredSchedulingTerm")
                                            .always("weight", INT32)
                                            .always("preference", TERM)));
    private static final Struct LABEL_SELECTOR =
            Type.struct("v1.LabelSelector")
                    .and("matchLabels", new MapOf(STRING))
                    .and(
                            "matchExpressions",
                            new ListOf(
                                    Type.struct("v1.LabelSelectorRequirement")
                                            .always("key", STRING)
                                            .always("operator", named("v1.LabelSelectorOperator"))
                                            .and("values", STRINGS)));
    private static final Struct SPREAD_CONSTRAINT =
            Type.struct("v1.TopologySpreadConstraint")
                    .always("maxSkew", INT32)
                    .always("topologyKey", STRING)
                    .always("whenUnsatisfiable", named("v1.UnsatisfiableConstraintAction"))
                    .and("labelSelector", LABEL_SELECTOR)
                    .and("minDomains", INT32)
                    .and("nodeAffinityPolicy", named("v1.NodeInclusionPolicy"))
                    .and("nodeTaintsPolicy", named("v1.NodeInclusionPolicy"))
                    .and("matchLabelKeys", STRINGS);

    private static final Struct FIT =
            args("NodeResourcesFitArgs")
                    .and("ignoredResources", STRINGS)
                    .and("ignoredResourceGroups", STRINGS)
                    .and(
                            "scoringStrategy",
                            Type.struct("v1.ScoringStrategy")
                                    .and("type", named("v1.ScoringStrategyType"))
                                    .and("resources", new ListOf(RESOURCE))
                                    .and(
                                            "requestedToCapacityRatio",
                                            Type.struct("v1.RequestedToCapacityRatioParam")
                                                    .and("shape", SHAPE)));

    /// Arguments that only versions before v1 know.
    private static final Map<String, Struct> OLD =
            Map.of(
                    "NodeResourcesLeastAllocated",
                    args("NodeResourcesLeastAllocatedArgs").and("resources", new ListOf(RESOURCE)),
                    "NodeResourcesMostAllocated",
                    args("NodeResourcesMostAllocatedArgs").and("resources", new ListOf(RESOURCE)),
                    "RequestedToCapacityRatio",
                    args("RequestedToCapacityRatioArgs")
                            .and("shape", SHAPE)
                            .and("resources", new ListOf(RESOURCE)));

    private static final Map<String, Struct> V1_KINDS = v1Kinds();
    private static final Map<String, Struct> ALL_KINDS = allKinds();

    private ArgumentTypes() {}

    /// The arguments that a v1 file can have. NodeLabel and ServiceAffinity are Berth's own
    /// addition, so that a converted old file can be written and read again.
    public static Map<String, Struct> v1() {
        return V1_KINDS;
    }

    /// The arguments that a file of v1 or of a version before it can have.
    public static Map<String, Struct> ofAllVersions() {
        return ALL_KINDS;
    }

    private static Map<String, Struct> v1Kinds() {
        var kinds = new TreeMap<String, Struct>();
        kinds.put(
                "DefaultPreemption",
                args("DefaultPreemptionArgs")
                        .and("minCandidateNodesPercentage", INT32)
                        .and("minCandidateNodesAbsolute", INT32));
        kinds.put(
                "DynamicResources",
                args("DynamicResourcesArgs")
                        .always("filterTimeout", DURATION)
                        .and("bindingTimeout", DURATION));
        kinds.put(
                "InterPodAffinity",
                args("InterPodAffinityArgs")
                        .and("hardPodAffinityWeight", INT32)
                        .always("ignorePreferredTermsOfExistingPods", BOOL));
        kinds.put("NodeAffinity", args("NodeAffinityArgs").and("addedAffinity", NODE_AFFINITY));
        kinds.put(
                "NodeResourcesBalancedAllocation",
                args("NodeResourcesBalancedAllocationArgs").and("resources", new ListOf(RESOURCE)));
        kinds.put("NodeResourcesFit", FIT);
        kinds.put(
                "PodTopologySpread",
                args("PodTopologySpreadArgs")
                        .and("defaultConstraints", new ListOf(SPREAD_CONSTRAINT))
                        .and("defaultingType", named("v1.PodTopologySpreadConstraintsDefaulting")));
        kinds.put(
                "VolumeBinding",
                args("VolumeBindingArgs").and("bindTimeoutSeconds", INT64).and("shape", SHAPE));
        kinds.put(
                "NodeLabel",
                args("NodeLabelArgs")
                        .and("presentLabels", STRINGS)
                        .and("absentLabels", STRINGS)
                        .and("presentLabelsPreference", STRINGS)
                        .and("absentLabelsPreference", STRINGS));
        kinds.put(
                "ServiceAffinity",
                args("ServiceAffinityArgs")
                        .and("affinityLabels", STRINGS)
                        .and("antiAffinityLabelsPreference", STRINGS));
        return Map.copyOf(kinds);
    }

    private static Map<String, Struct> allKinds() {
        var kinds = new TreeMap<>(V1_KINDS);
        kinds.putAll(OLD);
        return Map.copyOf(kinds);
    }

    private static Struct args(String kind) {
        return Type.struct("v1." + kind).and("kind", STRING).and("apiVersion", STRING);
    }
}
