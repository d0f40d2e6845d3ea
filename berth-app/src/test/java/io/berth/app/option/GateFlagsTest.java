package io.berth.app.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.app.flag.FlagException;
import io.berth.config.gate.FeatureGates;
import io.berth.config.gate.Stage;
import io.berth.config.gate.Versions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GateFlagsTest {
    @Test
    @Tag("P-320")
    void everyGateOfTheReleaseIsKnown() {
        assertThat(FeatureGates.DEFAULT.all()).hasSize(241);
        assertThat(FeatureGates.helpLines())
                .hasSize(149)
                .contains(
                        "kube:AllAlpha=true|false (ALPHA - default=false)",
                        "kube:SchedulerAsyncAPICalls=true|false (BETA - default=false)",
                        "kube:WatchListClient=true|false (BETA - default=true)");
    }

    @ParameterizedTest
    @Tag("P-320")
    @CsvSource({
        "ComponentFlagz, true, BETA",
        "CoordinatedLeaderElection, false, BETA",
        "LoggingAlphaOptions, false, ALPHA",
        "LoggingBetaOptions, true, BETA",
        "NativeHistograms, false, ALPHA",
        "WatchListClient, true, BETA",
        "InOrderInformers, true, GENERAL",
        "SchedulerQueueingHints, true, GENERAL",
        "SchedulerAsyncPreemption, true, BETA",
        "SchedulerAsyncAPICalls, false, BETA",
        "SchedulerPopFromBackoffQ, true, BETA",
        "NodeDeclaredFeatures, true, BETA",
        "DynamicResourceAllocation, true, GENERAL",
        "DRADeviceTaintRules, false, BETA",
        "GenericWorkload, false, ALPHA",
        "StorageCapacityScoring, false, ALPHA",
        "PodLevelResources, true, BETA",
        "SidecarContainers, true, GENERAL",
    })
    void gatesHaveTheirStagesAndDefaults(String name, boolean on, Stage stage) {
        assertThat(FeatureGates.DEFAULT.isOn(name)).isEqualTo(on);
        assertThat(FeatureGates.DEFAULT.stage(name)).isEqualTo(stage);
    }

    @Test
    @Tag("P-24")
    void oneGateGoesBeforeTheChoiceForItsWholeStage() throws FlagException {
        FeatureGates gates = parse("AllAlpha=true,LoggingAlphaOptions=false", "AllBeta=true");
        assertThat(gates.isOn("LoggingAlphaOptions")).isFalse();
        assertThat(gates.isOn("GenericWorkload")).isTrue();
        assertThat(gates.isOn("SchedulerAsyncAPICalls")).isTrue();
        assertThat(gates.isOn("AllAlpha")).isTrue();
    }

    @Test
    @Tag("P-22")
    void repeatedFlagsAppendAndTheLastValueOfAGateCounts() throws FlagException {
        FeatureGates gates =
                parse("GenericWorkload=true , GangScheduling=true", "", "GangScheduling=false");
        assertThat(gates.changed()).containsOnlyKeys("GenericWorkload");
        assertThat(parse("kube:GenericWorkload=T").isOn("GenericWorkload")).isTrue();
    }

    @Test
    @Tag("P-24")
    void settingASettledGateIsWorthANote() throws FlagException {
        assertThat(parse("SchedulerQueueingHints=true,AllowDNSOnlyNodeCSR=true").notes())
                .containsExactly(
                        new FeatureGates.Note(
                                "Warning: setting deprecated feature gate. It will be removed in a"
                                        + " future release.",
                                "AllowDNSOnlyNodeCSR",
                                true),
                        new FeatureGates.Note(
                                "Warning: setting GA feature gate. It will be removed in a future"
                                        + " release.",
                                "SchedulerQueueingHints",
                                true));
    }

    @ParameterizedTest
    @Tag("P-22")
    @Tag("P-23")
    @CsvSource(
            delimiter = '|',
            value = {
                "Foo=true | unrecognized feature gate: Foo",
                "AllAlpha | missing bool value for AllAlpha",
                "AllAlpha=x | invalid value of AllAlpha=x, err: strconv.ParseBool: parsing \"x\": invalid syntax",
                "wardle:AllAlpha=true | component not registered: wardle",
                "kube:AllAlpha=true,AllBeta=true | set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use",
                "SidecarContainers=false | cannot set feature gate SidecarContainers to false, feature is locked to true",
                "WorkloadAwarePreemption=true | WorkloadAwarePreemption is enabled, but depends on features that are disabled: [GangScheduling]",
                "SidecarContainers=false,DynamicResourceAllocation=false | [cannot set feature gate DynamicResourceAllocation to false, feature is locked to true, cannot set feature gate SidecarContainers to false, feature is locked to true]",
            })
    void impossibleChoiceIsRefusedInTheWordsOfKubernetes(String value, String message) {
        assertThatThrownBy(() -> parse(value)).hasMessage(message);
    }

    @ParameterizedTest
    @Timeout(20)
    @ValueSource(strings = {"1.", "1.1"})
    void versionsThatAreLongTakeNoLongTime(String part) {
        String version = part.repeat(500_000) + "1";
        assertThatThrownBy(() -> GateFlags.versions(List.of(version), List.of()))
                .hasMessageStartingWith("could not parse \"" + version.substring(0, 40) + "...\"");
    }

    @Test
    @Tag("P-26")
    void olderReleaseHasItsOwnStages() throws FlagException {
        Versions older = GateFlags.versions(List.of("1.34"), List.of());
        FeatureGates gates = GateFlags.gates(older, List.of());
        assertThat(gates.stage("GenericWorkload")).isEqualTo(Stage.PRE_ALPHA);
        assertThat(gates.isOn("NodeDeclaredFeatures")).isFalse();
        assertThatThrownBy(() -> GateFlags.gates(older, List.of("GenericWorkload=true")))
                .hasMessage(
                        "cannot set feature gate GenericWorkload to true, feature is PreAlpha at"
                                + " emulated version 1.34, min compatibility version 1.33");
        assertThat(GateFlags.gates(older, List.of("LoggingAlphaOptions=true")).emulatedAlpha())
                .containsExactly("LoggingAlphaOptions");
    }

    @ParameterizedTest
    @Tag("P-26")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "1.36 | - | 1.36 | 1.35",
                "kube=1.35 | - | 1.35 | 1.34",
                "v1.34 | - | 1.34 | 1.33",
                "1.33 | - | 1.33 | 1.33",
                "1.36.0 | 1.36 | 1.36 | 1.36",
                "- | 1.33 | 1.36 | 1.33",
            })
    void versionsAreMajorAndMinor(
            String emulated, String compatible, String emulation, String minCompatibility)
            throws FlagException {
        Versions versions =
                GateFlags.versions(
                        emulated == null ? List.of() : List.of(emulated),
                        compatible == null ? List.of() : List.of(compatible));
        assertThat(versions.emulation()).hasToString(emulation);
        assertThat(versions.minCompatibility()).hasToString(minCompatibility);
        assertThat(versions.check()).isEmpty();
    }

    @Test
    @Tag("P-26")
    void versionsOutOfBoundsAreAllTold() throws FlagException {
        assertThat(GateFlags.versions(List.of("1.20"), List.of()).check())
                .containsExactly(
                        "emulation version 1.20 is not between [1.33, 1.36.0]",
                        "minCompatibilityVersion version 1.33 is not between [1.33, 1.20]");
    }

    private static FeatureGates parse(String... values) throws FlagException {
        return GateFlags.gates(Versions.DEFAULT, List.of(values));
    }
}
