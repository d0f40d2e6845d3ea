package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.api.plugin.PluginFactory;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.TestScheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Files that kube-scheduler was given too.
@Tag("P-50")
@Tag("P-58")
@Tag("P-61")
@Tag("P-71")
@Tag("P-72")
@Tag("P-73")
@Tag("P-74")
@Tag("P-81")
@Tag("P-83")
@Tag("P-85")
@Tag("P-98")
class UpstreamFactsTest {
    /// Where the contract recommends to say more, or earlier, than upstream: a part of upstream's
    /// message, and ours.
    private static final Map<String, String> OURS =
            Map.ofEntries(
                    Map.entry(
                            "initializing plugin \"NodeResourcesFit\": [scoringStrategy.type: Unsupported value: \"x\"",
                            "[profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: \"x\": supported values:"
                                    + " \"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\","
                                    + " profiles[0].pluginConfig[0].args.scoringStrategy.resources[0].weight: Invalid value: 101:"
                                    + " resource weight of cpu not in valid range (0, 100]]"),
                    Map.entry(
                            "initializing plugin \"NodeResourcesFit\": [ignoredResources[0]",
                            "profiles[0].pluginConfig[0].args.ignoredResources[1]: Invalid value: \"a/b/c\": a valid label key must"),
                    Map.entry(
                            "initializing plugin \"NodeResourcesFit\": scoringStrategy.type: Unsupported value: \"\"",
                            "profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: \"\": supported values:"
                                    + " \"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\""),
                    Map.entry(
                            "decoding args for plugin DynamicResources: time: invalid duration",
                            "decoding args for plugin DynamicResources: bindingTimeout: time: invalid duration \"xs\""),
                    Map.entry(
                            "Duplicate value: {}",
                            "[profiles[1].schedulerName: Duplicate value: \"a\", profiles[2].schedulerName: Required value]"),
                    Map.entry(
                            "PreFilterPlugin \"GCEPDLimits\" does not exist",
                            "profiles[0].plugins.multiPoint.enabled[20]: Invalid value: \"GCEPDLimits\": was invalid in version \"v1\""),
                    Map.entry(
                            "Invalid value: \"EBSLimits\"",
                            "profiles[0].plugins.score.enabled[0]: Invalid value: \"EBSLimits\": was invalid in version \"v1\""),
                    Map.entry(
                            "leaderElection.leaseDuration: Invalid value: \"10s\"",
                            "leaderElection.leaseDuration: Invalid value: \"5s\": must be greater than `RenewDeadline`"),
                    Map.entry(
                            "json parse error: invalid character '}'",
                            "couldn't get version/kind; json parse error: line 1: Unexpected character ('}'"),
                    Map.entry(
                            "json parse error: invalid character 'a'",
                            "couldn't get version/kind; json parse error: line 1: Unexpected character ('a'"),
                    Map.entry(
                            "yaml: mapping values are not allowed",
                            "yaml: line 1: mapping values are not allowed in this context"),
                    Map.entry(
                            "yaml: found character that cannot",
                            "yaml: line 1: found character that cannot start any token"));

    static List<UpstreamFacts> good() {
        return UpstreamFacts.good();
    }

    static List<UpstreamFacts> broken() {
        return UpstreamFacts.broken();
    }

    @ParameterizedTest
    @MethodSource("good")
    void aGoodFileIsWrittenByteForByteAsUpstreamWritesIt(UpstreamFacts fact)
            throws ConfigurationException {
        var configuration = read(fact.file());
        assertThat(ConfigurationWriter.yaml(CompletedProfiles.in(configuration)).strip())
                .isEqualTo(fact.outcome().strip());
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aBrokenFileIsRefusedInUpstreamsWords(UpstreamFacts fact) {
        var refused = catchThrowableOfType(ConfigurationException.class, () -> read(fact.file()));
        assertThat(refused).isNotNull();
        assertThat(refused.getMessage()).contains(expected(fact.outcome()));
    }

    static List<UpstreamFacts> unbuildable() {
        return UpstreamFacts.unbuildable();
    }

    @ParameterizedTest
    @MethodSource("unbuildable")
    @Tag("P-86")
    @Tag("P-87")
    @Tag("P-90")
    void whatCannotBeBuiltIsRefusedInUpstreamsWords(UpstreamFacts fact)
            throws ConfigurationException {
        var configuration = read(fact.file());
        var available =
                InTree.factories().stream().map(PluginFactory::name).collect(Collectors.toSet());
        assertThatThrownBy(
                        () -> {
                            var settings =
                                    new EngineConversion(available)
                                            .settings(configuration, Duration.ofMinutes(5), true);
                            TestScheduler.with(
                                    InTree.factories(),
                                    settings.profiles().toArray(ProfileSettings[]::new));
                        })
                .hasMessage(fact.outcome());
    }

    private static String expected(String upstream) {
        return OURS.entrySet().stream()
                .filter(entry -> upstream.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(upstream);
    }

    private static SchedulerConfiguration read(String file) throws ConfigurationException {
        var loaded =
                ConfigurationReader.v1Only(FeatureGates.DEFAULT)
                        .read(file.getBytes(StandardCharsets.UTF_8));
        Validation.require(loaded.configuration(), FeatureGates.DEFAULT);
        return loaded.configuration();
    }
}
