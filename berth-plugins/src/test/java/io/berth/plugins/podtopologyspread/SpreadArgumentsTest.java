package io.berth.plugins.podtopologyspread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.label.LabelSelector;
import io.berth.api.plugin.Arguments;
import io.berth.api.spec.TopologySpreadConstraint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a file may say about default constraints.
@Tag("TS-1")
final class SpreadArgumentsTest {
    @Test
    void haveDefaults() {
        assertThat(SpreadArguments.parse(Arguments.NONE))
                .isEqualTo(
                        new SpreadArguments(
                                true,
                                List.of(
                                        TopologySpreadConstraint.of(
                                                3,
                                                "kubernetes.io/hostname",
                                                false,
                                                LabelSelector.NOTHING),
                                        TopologySpreadConstraint.of(
                                                5,
                                                "topology.kubernetes.io/zone",
                                                false,
                                                LabelSelector.NOTHING))));
    }

    @Test
    void takeAList() {
        var constraint =
                Map.of("maxSkew", 2, "topologyKey", "zone", "whenUnsatisfiable", "DoNotSchedule");
        assertThat(parse("List", List.of(constraint)))
                .isEqualTo(
                        new SpreadArguments(
                                false,
                                List.of(
                                        TopologySpreadConstraint.of(
                                                2, "zone", true, LabelSelector.NOTHING))));
    }

    @Test
    void areRefusedWithAllProblems() {
        var constraint =
                Map.of(
                        "topologyKey",
                        "zone",
                        "whenUnsatisfiable",
                        "Later",
                        "labelSelector",
                        Map.of());
        assertThatThrownBy(() -> parse("System", List.of(constraint)))
                .hasMessage(
                        "[defaultingType: Invalid value: \"System\": when .defaultConstraints"
                                + " are not empty, defaultConstraints[0].maxSkew: Invalid"
                                + " value: 0: not in valid range (0, inf),"
                                + " defaultConstraints[0].whenUnsatisfiable: Unsupported value:"
                                + " \"Later\": supported values: \"DoNotSchedule\","
                                + " \"ScheduleAnyway\", defaultConstraints[0].labelSelector:"
                                + " Forbidden: constraint must not define a selector, as they"
                                + " deduced for each pod]");
    }

    @Test
    void emptyTypeIsTheDefaultAndAnUnknownPolicyHonorsNothing() {
        assertThat(parse("", List.of())).isEqualTo(SpreadArguments.DEFAULT);
        var odd =
                Map.of(
                        "maxSkew",
                        1,
                        "topologyKey",
                        "zone",
                        "whenUnsatisfiable",
                        "DoNotSchedule",
                        "nodeAffinityPolicy",
                        "Sometimes");
        assertThat(parse("List", List.of(odd)).defaultConstraints())
                .noneMatch(TopologySpreadConstraint::honorsNodeAffinity);
    }

    private static SpreadArguments parse(String type, List<?> constraints) {
        return SpreadArguments.parse(
                new Arguments(Map.of("defaultingType", type, "defaultConstraints", constraints)));
    }
}
