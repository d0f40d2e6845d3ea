package io.berth.config.argument;

import io.berth.config.gate.FeatureGates;
import io.berth.config.schema.ArgumentTypes;
import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Fills in what a plugin's arguments leave open (section 3.4 of the contract).
public final class ArgumentDefaults {
    private static final Value CPU_AND_MEMORY =
            Value.of(List.of(resource("cpu"), resource("memory")));

    private final FeatureGates gates;

    public ArgumentDefaults(FeatureGates gates) {
        this.gates = gates;
    }

    public static boolean hasKind(String plugin) {
        return ArgumentTypes.v1().containsKey(plugin);
    }

    public Fields complete(String plugin, Fields given) {
        var header =
                given.with("apiVersion", Value.of(ConfigurationTypes.GROUP + "/v1"))
                        .with("kind", Value.of(plugin + "Args"));
        return switch (plugin) {
            case "DefaultPreemption" ->
                    unlessGiven(
                            unlessGiven(header, "minCandidateNodesPercentage", Value.of(10)),
                            "minCandidateNodesAbsolute",
                            Value.of(100));
            case "DynamicResources" -> dynamicResources(header);
            case "InterPodAffinity" ->
                    unlessGiven(
                            unlessGiven(header, "hardPodAffinityWeight", Value.of(1)),
                            "ignorePreferredTermsOfExistingPods",
                            Value.of(false));
            case "NodeResourcesBalancedAllocation" -> withResources(header);
            case "NodeResourcesFit" ->
                    header.with(
                            "scoringStrategy",
                            withResources(
                                    header.has("scoringStrategy")
                                            ? header.fields("scoringStrategy")
                                            : Value.of(
                                                    Map.of("type", Value.of("LeastAllocated")))));
            case "PodTopologySpread" ->
                    header.text("defaultingType", "").isEmpty()
                            ? header.with("defaultingType", Value.of("System"))
                            : header;
            case "VolumeBinding" -> volumeBinding(header);
            default -> header;
        };
    }

    private Fields dynamicResources(Fields given) {
        var args = given;
        if (gates.isOn("DRASchedulerFilterTimeout")) {
            args = unlessGiven(args, "filterTimeout", Value.of("10s"));
        }
        if (gates.isOn("DRADeviceBindingConditions")
                && gates.isOn("DRAResourceClaimDeviceStatus")) {
            args = unlessGiven(args, "bindingTimeout", Value.of("10m0s"));
        }
        return args;
    }

    private Fields volumeBinding(Fields given) {
        var args = unlessGiven(given, "bindTimeoutSeconds", Value.of(600));
        return gates.isOn("StorageCapacityScoring") && args.items("shape").isEmpty()
                ? args.with("shape", Value.of(List.of(shapePoint(0, 10), shapePoint(100, 0))))
                : args;
    }

    private static Fields withResources(Fields given) {
        var resources = given.objects("resources");
        if (resources.isEmpty()) {
            return given.with("resources", CPU_AND_MEMORY);
        }
        var weighted = new ArrayList<Value>();
        for (var resource : resources) {
            weighted.add(
                    resource.number("weight", 0) == 0
                            ? resource.with("weight", Value.of(1))
                            : resource);
        }
        return given.with("resources", Value.of(weighted));
    }

    private static Fields unlessGiven(Fields fields, String field, Value value) {
        return fields.has(field) ? fields : fields.with(field, value);
    }

    private static Fields resource(String name) {
        var fields = new LinkedHashMap<String, Value>();
        fields.put("name", Value.of(name));
        fields.put("weight", Value.of(1));
        return Value.of(fields);
    }

    private static Fields shapePoint(int utilization, int score) {
        var fields = new LinkedHashMap<String, Value>();
        fields.put("utilization", Value.of(utilization));
        fields.put("score", Value.of(score));
        return Value.of(fields);
    }
}
