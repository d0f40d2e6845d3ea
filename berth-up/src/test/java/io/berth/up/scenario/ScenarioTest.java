package io.berth.up.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.apiserver.selector.LabelSelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// What scenario files and dumps say.
final class ScenarioTest {
    static final List<String> builtIn = Scenario.BUILT_IN;

    @TempDir Path folder;

    @ParameterizedTest
    @FieldSource("builtIn")
    void builtInOnesCanBeReadAndExpectSomething(String name) {
        Scenario scenario = Scenario.find(name);
        assertThat(scenario.pools()).isNotEmpty();
        assertThat(scenario.steps()).anyMatch(Step.Expect.class::isInstance);
    }

    @Test
    void stepsHaveTimesOrFollowEachOther() throws Exception {
        Files.writeString(
                folder.resolve("pod.yaml"),
                """
                {apiVersion: v1, kind: Pod, metadata: {name: a}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: b}}
                """);
        Path file =
                Files.writeString(
                        folder.resolve("s.yaml"),
                        """
                        nodes: [{count: 2, zones: [a, b]}]
                        steps:
                        - {apply: pod.yaml}
                        - {at: 5s, lose: {zone: b}}
                        - {scale: deploy/web 7}
                        - {at: 1m, expect: {pending: 0, within: 500ms, selector: app=web, zone: b}}
                        """);
        Scenario scenario = Scenario.find(file.toString());
        assertThat(scenario.pools().getFirst().nodes())
                .extracting(
                        node -> node.at("/metadata/labels/topology.kubernetes.io~1zone").asText())
                .containsExactly("a", "b");
        assertThat(scenario.steps().getFirst())
                .isInstanceOfSatisfying(
                        Step.Apply.class, apply -> assertThat(apply.objects()).hasSize(2));
        assertThat(scenario.steps().subList(1, 4))
                .containsExactly(
                        new Step.Lose(Duration.ofSeconds(5), Step.ZONE, "b", false),
                        new Step.Scale(Duration.ofSeconds(5), "deployments", "web", 7),
                        new Step.Expect(
                                Duration.ofMinutes(1),
                                LabelSelector.parse("app=web"),
                                "b",
                                Map.of("pending", 0),
                                Duration.ofMillis(500)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1, 2]                                   | must hold one document",
                "{step: []}                               | has a field \"step\"; known are description",
                "{steps: [{at: soon, lose: {zone: a}}]}   | steps[0].at must be a time such as 500ms",
                "{steps: [{dance: 1}]}                    | steps[0] is none of apply, lose",
                "{steps: [{lose: {pod: a}}]}              | steps[0].lose must name a zone or a node",
                "{steps: [{scale: web}]}                  | steps[0].scale must be KIND/NAME REPLICAS",
                "{steps: [{scale: cm/web 3}]}             | names \"cm\"",
                "{steps: [{expect: {happy: 1}}]}          | steps[0].expect.happy is not known",
                "{steps: [{expect: {within: 5s}}]}        | steps[0].expect expects nothing",
                "{steps: [{expect: {pending: 1, selector: =}}]} | steps[0].expect.selector is no selector",
                "{nodes: [{devices: many}]}               | nodes[0].devices must be one of gpus, partitions, shared",
                "{steps: [{apply: {a: 1}}]}               | without kind and apiVersion",
                "{nodes: [{count: 0}]}                    | nodes[0].count must be from 1 to 20000",
                "{nodes: 3}                               | wrong.yaml: nodes must be a list, not 3",
                "{nodes: [3]}                             | nodes[0] must have fields, such as count",
                "{nodes: [{cout: 3}]}                     | nodes[0] has a field \"cout\"; known are count",
                "{nodes: [{count: many}]}                 | nodes[0].count must be from 1 to 20000, not \"many\"",
                "{nodes: [{template: large}]}             | nodes[0].template must be a part of a node",
                "{steps: [{at: 5s, lose: {zone: a}, within: 3s}]} | steps[0] has a field \"within\"",
                "{steps: [{delete: deploy/a, lose: {zone: a}}]}   | steps[0] does several things",
                "{a: [}                                   | is neither YAML nor JSON: line 1: "
            })
    void mistakesAreToldWithTheirPlace(String text, String message) throws Exception {
        Path file = Files.writeString(folder.resolve("wrong.yaml"), text);
        assertThatThrownBy(() -> Scenario.find(file.toString()))
                .isInstanceOf(FileProblem.class)
                .hasMessageContaining(message.strip());
    }

    /// The parser draws a picture of the place, over eight lines.
    @Test
    void wrongTextIsToldInOneLineWithItsOwnNumber() throws Exception {
        Path file = Files.writeString(folder.resolve("s.yaml"), "a: 1\n---\nb: 2\nc: [\n");
        assertThatThrownBy(() -> Dump.read(file))
                .hasMessageMatching(".*s.yaml is neither YAML nor JSON: line [45]: [^\n]+");
    }

    @Test
    void unknownNameIsToldWithThoseThatThereAre() {
        assertThatThrownBy(() -> Scenario.find("zone-outrage"))
                .isInstanceOf(FileProblem.class)
                .hasMessageContaining("zone-outage");
    }

    @Test
    void dumpIsCleanedAndOrdered() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("dump.json"),
                        """
                        {"apiVersion":"v1","kind":"List","items":[
                          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"shop",
                            "uid":"1","resourceVersion":"7","ownerReferences":[{"uid":"2"}]},
                            "spec":{"nodeName":"n"},"status":{"phase":"Running"}},
                          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"done"},
                            "status":{"phase":"Succeeded"}},
                          {"apiVersion":"v1","kind":"Node","metadata":{"name":"n","uid":"3"}}]}
                        """);
        var objects = Dump.read(file).objects();
        assertThat(objects)
                .extracting(o -> o.path("kind").asText() + " " + o.at("/metadata/name").asText())
                .containsExactly("Namespace shop", "Node n", "Pod a");
        assertThat(objects.getLast().at("/metadata").toString())
                .isEqualTo("{\"name\":\"a\",\"namespace\":\"shop\"}");
        assertThat(objects.getLast().at("/spec/nodeName").asText()).isEqualTo("n");
    }

    @Test
    void dumpThatIsNoneIsToldSo() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.yaml"), "");
        assertThatThrownBy(() -> Dump.read(empty)).hasMessageContaining("holds no objects");
        assertThatThrownBy(() -> Dump.read(folder.resolve("nowhere")))
                .hasMessageContaining("there is no file");
    }
}
