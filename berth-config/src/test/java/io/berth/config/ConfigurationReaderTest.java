package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.SmallFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationReaderTest {
    private static final String HEADER =
            "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

    private final ConfigurationReader reader = new ConfigurationReader(FeatureGates.DEFAULT);

    @Nested
    @Tag("P-71")
    final class OfFiles {
        @Test
        void aMissingFileIsToldInTheSystemsWords(@TempDir Path folder) {
            var file = folder.resolve("none.yaml");
            assertThatThrownBy(() -> reader.read(file))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("open " + file + ": no such file or directory");
        }

        @Test
        void aFolderIsNoFile(@TempDir Path folder) {
            assertThatThrownBy(() -> reader.read(folder))
                    .hasMessage("read " + folder + ": is a directory");
        }

        @Test
        void aFileIsRead(@TempDir Path folder) throws IOException, ConfigurationException {
            var file = Files.writeString(folder.resolve("c.yaml"), HEADER + "parallelism: 3\n");
            assertThat(reader.read(file).configuration().parallelism()).isEqualTo(3);
        }
    }

    @Nested
    @Tag("P-72")
    @Timeout(300)
    final class OfOddText {
        @Test
        void nothingAtAllIsNoConfiguration() {
            assertRefused("", "Object 'Kind' is missing in ''");
            assertRefused("---\n", "Object 'Kind' is missing in '---\n'");
        }

        @Test
        void aSecondDocumentIsToldInsteadOfIgnored() {
            assertRefused(
                    HEADER + "---\nfoo: 1\n",
                    "yaml: line 4: a second document begins here; a configuration is one document");
        }

        @Test
        void aLastSeparatorIsHarmless() throws ConfigurationException {
            assertThat(Configurations.readFile("---\n" + HEADER + "---\n")).isNotNull();
        }

        @Test
        void aliasesAndMergesAreFollowed() throws ConfigurationException {
            var configuration =
                    Configurations.readFile(
                            HEADER
                                    + """
                                    leaderElection: &e {leaseDuration: 30s, renewDeadline: 20s}
                                    profiles:
                                    - &p {schedulerName: a, percentageOfNodesToScore: 7}
                                    - <<: *p
                                      schedulerName: b
                                    """);
            assertThat(configuration.profiles().get(1).schedulerName()).isEqualTo("b");
            assertThat(configuration.profiles().get(1).percentageOfNodesToScore()).hasValue(7);
        }

        @Test
        void aBombOfAliasesIsDefused() {
            var bomb = new StringBuilder(HEADER).append("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
            for (int i = 1; i < 9; i++) {
                bomb.append("a%d: &a%d [".formatted(i, i))
                        .append("*a%d, ".formatted(i - 1).repeat(10))
                        .append("]\n");
            }
            assertRefused(bomb.toString(), "yaml: document contains excessive aliasing");
        }

        @Test
        void depthHasAnEnd() {
            assertThatThrownBy(() -> read(HEADER + "a: " + "[".repeat(100_000)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("yaml: ");
            assertThatThrownBy(() -> read("{\"a\":".repeat(100_000)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("couldn't get version/kind; json parse error: ");
        }

        @Test
        void sizeHasAnEnd() {
            assertThatThrownBy(() -> reader.read(new byte[SmallFiles.MOST_BYTES + 1]))
                    .hasMessage("the text has 4194305 bytes; a configuration has at most 4194304");
        }

        @ParameterizedTest
        @Timeout(20)
        @ValueSource(strings = {"%s", "0x%s", "!!int %s", "0.%s", "%sh", "1ns%s"})
        void numbersThatAreLongTakeNoLongTime(String form) {
            var number = form.formatted("1".repeat(1_000_000));
            for (var field : List.of("parallelism", "podInitialBackoffSeconds")) {
                assertThatThrownBy(() -> read(HEADER + field + ": " + number))
                        .isInstanceOf(ConfigurationException.class);
            }
            assertThatThrownBy(
                            () -> read(HEADER + "leaderElection: {leaseDuration: " + number + "}"))
                    .isInstanceOf(ConfigurationException.class);
            assertThatThrownBy(() -> read("{\"parallelism\": " + number + "}"))
                    .isInstanceOf(ConfigurationException.class);
        }

        @Test
        void bytesThatAreNoTextAreRefused() {
            var random = new Random(7);
            for (int i = 0; i < 200; i++) {
                var bytes = new byte[1 + random.nextInt(300)];
                random.nextBytes(bytes);
                assertThatThrownBy(() -> reader.read(bytes))
                        .isInstanceOf(ConfigurationException.class)
                        .message()
                        .doesNotContain("Exception");
            }
        }

        @Test
        void controlCharactersAreRefused() {
            assertRefused(HEADER + "a: \u0001\n", "yaml: control characters are not allowed");
        }

        @Test
        void aByteOrderMarkIsSkipped() throws ConfigurationException {
            assertThat(Configurations.readFile("\uFEFF" + HEADER)).isNotNull();
        }

        @ParameterizedTest
        @ValueSource(strings = {"y", "Y", "yes", "on", "True", "ON"})
        void booleansAreThoseOfYaml11(String word) throws ConfigurationException {
            assertThat(
                            Configurations.readFile(HEADER + "delayCacheUntilActive: " + word)
                                    .delayCacheUntilActive())
                    .isTrue();
        }

        private void assertRefused(String text, String message) {
            assertThatThrownBy(() -> read(text))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage(message);
        }
    }

    @Test
    @Tag("P-73")
    void jsonIsReadTooAndItsRepeatedFieldsAreNamedByPath() throws ConfigurationException {
        var json =
                "{\"apiVersion\":\"kubescheduler.config.k8s.io/v1\",\"kind\":\"KubeSchedulerConfiguration\",\n%s}";
        assertThat(Configurations.readFile(json.formatted("\"parallelism\":\t5")).parallelism())
                .isEqualTo(5);
        assertThatThrownBy(() ->
                        Configurations.readFile(
                                json.formatted("\"clientConnection\":{\"qps\":1,\n\"qps\":2}")))
                .hasMessage(
                        "strict decoding error: duplicate field \"clientConnection.qps\" (line 3)");
    }

    @Test
    @Tag("P-83")
    void defaultsThatAFileConfiguresAnewAreTold() throws ConfigurationException {
        var file =
                HEADER
                        + "profiles: [{plugins: {multiPoint: {enabled: [{name: Mine}, {name: NodeAffinity, weight: 9}]}}}]";
        assertThat(read(file).overridden()).containsExactly("NodeAffinity");
    }

    @Test
    @Tag("P-74")
    void argumentsOfAPluginThatNobodyKnowsAreKeptAsTheyAre() throws ConfigurationException {
        var configuration =
                Configurations.readFile(
                        HEADER
                                + "profiles: [{plugins: {multiPoint: {enabled: [{name: Mine}]}},"
                                + " pluginConfig: [{name: Mine, args: {A: [1, b], c: null}}]}]");
        var config = configuration.profiles().getFirst().pluginConfig().getFirst();
        assertThat(config.name()).isEqualTo("Mine");
        assertThat(io.berth.config.text.JsonWriter.write(config.args()))
                .isEqualTo("{\"A\":[1,\"b\"],\"c\":null}");
    }

    private ConfigurationReader.Loaded read(String text) throws ConfigurationException {
        return reader.read(text.getBytes(StandardCharsets.UTF_8));
    }
}
