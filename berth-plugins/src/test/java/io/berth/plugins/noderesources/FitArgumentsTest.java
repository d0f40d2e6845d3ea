package io.berth.plugins.noderesources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.plugin.Arguments;
import io.berth.plugins.noderesources.FitArguments.Rating;
import io.berth.plugins.noderesources.FitArguments.ScoringStrategy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FitArgumentsTest {
    @Test
    @Tag("NF-2")
    void haveDefaults() {
        assertThat(FitArguments.parse(Arguments.NONE))
                .isEqualTo(
                        new FitArguments(
                                Set.of(),
                                Set.of(),
                                new ScoringStrategy(
                                        Rating.LEAST_ALLOCATED,
                                        List.of(
                                                new ResourceWeight("cpu", 1),
                                                new ResourceWeight("memory", 1)),
                                        List.of())));
    }

    @Test
    @Tag("NF-3")
    void areRefusedWithAllProblemsAtOnce() {
        var arguments =
                new Arguments(
                        Map.of(
                                "ignoredResourceGroups",
                                List.of("a/b"),
                                "scoringStrategy",
                                Map.of(
                                        "type",
                                        "Fullest",
                                        "resources",
                                        List.of(Map.of("name", "cpu", "weight", 101)))));
        assertThatThrownBy(() -> FitArguments.parse(arguments))
                .hasMessage(
                        "[ignoredResourceGroups[0]: Invalid value: \"a/b\": resource group name"
                                + " can't contain '/', scoringStrategy.type: Unsupported value:"
                                + " \"Fullest\": supported values: \"LeastAllocated\","
                                + " \"MostAllocated\", \"RequestedToCapacityRatio\","
                                + " scoringStrategy.resources[0].weight: Invalid value: 101:"
                                + " resource weight of cpu not in valid range (0, 100]]");
    }

    @Test
    @Tag("NF-3")
    void wantAShapeOnlyForTheRatio() {
        assertThatThrownBy(() -> strategy(Map.of("type", "RequestedToCapacityRatio")))
                .hasMessage(
                        "scoringStrategy.requestedToCapacityRatio: Required value: must be"
                                + " specified when type is RequestedToCapacityRatio");
        assertThatThrownBy(() ->
                        strategy(
                                Map.of(
                                        "type",
                                        "MostAllocated",
                                        "requestedToCapacityRatio",
                                        Map.of())))
                .hasMessage(
                        "scoringStrategy.requestedToCapacityRatio: Forbidden: must be nil when"
                                + " type is not RequestedToCapacityRatio");
        assertThatThrownBy(() ->
                        strategy(
                                Map.of(
                                        "type",
                                        "RequestedToCapacityRatio",
                                        "requestedToCapacityRatio",
                                        Map.of(
                                                "shape",
                                                List.of(
                                                        Map.of("utilization", 50),
                                                        Map.of("utilization", 50, "score", 11))))))
                .hasMessage(
                        "[scoringStrategy.requestedToCapacityRatio.shape[1].utilization:"
                                + " Invalid value: 50: values must be sorted in increasing"
                                + " order, scoringStrategy.requestedToCapacityRatio.shape[1]"
                                + ".score: Invalid value: 11: not in valid range [0, 10]]");
    }

    @Test
    void mayNotHaveUnknownFields() {
        assertThatThrownBy(() -> strategy(Map.of("type", "MostAllocated", "typo", 1)))
                .hasMessage("strict decoding error: unknown field \"scoringStrategy.typo\"");
    }

    private static void strategy(Map<String, Object> strategy) {
        FitArguments.parse(new Arguments(Map.of("scoringStrategy", strategy)));
    }

    @Test
    @Tag("NF-1")
    void namesMustBeWellFormed() {
        assertThat(
                        FitArguments.parse(
                                        new Arguments(
                                                Map.of(
                                                        "ignoredResources",
                                                        List.of("example.com/gpu"),
                                                        "ignoredResourceGroups",
                                                        List.of("example.com"))))
                                .ignoredResources())
                .containsExactly("example.com/gpu");
        assertThatThrownBy(() ->
                        FitArguments.parse(
                                new Arguments(
                                        Map.of("ignoredResources", List.of("example.com/-gpu")))))
                .hasMessageStartingWith(
                        "ignoredResources[0]: Invalid value: \"example.com/-gpu\": name part must"
                                + " consist of alphanumeric characters");
        assertThatThrownBy(() ->
                        FitArguments.parse(
                                new Arguments(Map.of("ignoredResourceGroups", List.of("a b")))))
                .hasMessageStartingWith("ignoredResourceGroups[0]: Invalid value: \"a b\": ");
    }
}
