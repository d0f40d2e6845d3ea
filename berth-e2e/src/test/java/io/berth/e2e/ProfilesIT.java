package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.PluginJar;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.SchedulerFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// One process with several profiles, one of them with a plugin that came in a jar.
@PackagedScheduler
@RealControlPlane
final class ProfilesIT extends SchedulerFacts {
    private static final String ONE = "{cpu: '1', memory: '1Gi'}";

    /// Refuses nodes by a label that its arguments name, and likes those that come last by name.
    private static final String KEEPER =
            """
            import io.berth.api.column.NodeView;
            import io.berth.api.handle.*;
            import io.berth.api.model.Pod;
            import io.berth.api.plugin.*;
            import io.berth.api.verdict.*;

            public final class Keeper implements PluginFactory {
                public String name() {
                    return "Keeper";
                }

                public Plugin create(Arguments arguments, Handle handle) {
                    Object label = arguments.values().getOrDefault("label", "kept");
                    return new Keeping(label.toString());
                }

                record Keeping(String label) implements Filter, Score {
                    public String name() {
                        return "Keeper";
                    }

                    public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
                        return node.node().labels().has(label)
                                ? Refusal.hopeless("node(s) were kept by " + label)
                                : Verdict.PASS;
                    }

                    public long score(Cycle cycle, Pod pod, NodeView node) {
                        return node.name().charAt(0) - 'a';
                    }
                }
            }
            """;

    @Override
    protected String[] flags() {
        try {
            Path config =
                    Files.writeString(
                            plane().folder().resolve("profiles.yaml"),
                            """
                            apiVersion: kubescheduler.config.k8s.io/v1
                            kind: KubeSchedulerConfiguration
                            clientConnection: {kubeconfig: %s}
                            leaderElection: {leaderElect: false}
                            profiles:
                            - schedulerName: spreading
                            - schedulerName: packing
                              pluginConfig:
                              - name: NodeResourcesFit
                                args:
                                  scoringStrategy:
                                    type: MostAllocated
                                    resources: [{name: cpu, weight: 1}, {name: memory, weight: 1}]
                            - schedulerName: blind
                              plugins:
                                multiPoint:
                                  disabled: [{name: TaintToleration}]
                            - schedulerName: keeping
                              plugins:
                                multiPoint:
                                  enabled: [{name: Keeper, weight: 100}]
                              pluginConfig:
                              - name: Keeper
                                args: {label: reserved}
                            """
                                    .formatted(plane().schedulerKubeconfig()));
            return new String[] {"--config=" + config, "--plugin-dir=" + pluginFolder()};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path pluginFolder() throws IOException {
        Path folder = plane().folder().resolve("plugins");
        if (!Files.isDirectory(folder)) {
            PluginJar.build(Files.createDirectory(folder), "Keeper", KEEPER);
        }
        return folder;
    }

    private void podOf(String profile, String name) {
        pod(name, ONE, "{spec: {schedulerName: '" + profile + "'}}");
    }

    @Test
    void eachProfileHasItsOwnOpinion() {
        node("a", "{}");
        node("b", "{}");
        podOn("a", "busy", "{cpu: '5', memory: '5Gi'}");
        awaitKnown(2, 1);
        podOf("packing", "packed");
        assertThat(placeOf("packed")).isEqualTo("a");
        podOf("spreading", "spread");
        assertThat(placeOf("spread")).isEqualTo("b");
    }

    @Test
    void eventsNameTheProfile() {
        node("a", "{}");
        awaitKnown(1, 0);
        podOf("packing", "p");
        objects().awaitEvent("p", "Scheduled", LIMIT, scheduler());
        assertThat(objects().events("p", "Scheduled"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event.at("/reportingController").asText()).isEqualTo("packing"));
    }

    @Test
    void aPluginIsSwitchedOffInOneProfileOnly() {
        node("a", "{spec: {taints: [{key: 'only', value: 'x', effect: 'NoSchedule'}]}}");
        awaitKnown(1, 0);
        podOf("spreading", "sees");
        podOf("blind", "does-not-see");
        assertThat(placeOf("does-not-see")).isEqualTo("a");
        awaitPod("sees", _ -> scheduled("sees").at("/reason").asText().equals("Unschedulable"));
        assertThat(scheduled("sees").at("/message").asText())
                .startsWith("0/1 nodes are available: 1 node(s) had untolerated taint(s).");
    }

    @Test
    void podsOfNoProfileAreLeftAlone() {
        node("a", "{}");
        awaitKnown(1, 0);
        podOf("somebody-else", "foreign");
        podOf("spreading", "own");
        assertThat(placeOf("own")).isEqualTo("a");
        assertThat(objects().pod("foreign").text("/spec/nodeName")).isEmpty();
        assertThat(scheduled("foreign").isMissingNode()).isTrue();
    }

    @Test
    void aPluginFromAJarRefusesInItsOwnWords() {
        node("a", "{metadata: {labels: {reserved: 'yes'}}}");
        awaitKnown(1, 0);
        podOf("keeping", "p");
        awaitPod("p", _ -> scheduled("p").at("/reason").asText().equals("Unschedulable"));
        assertThat(scheduled("p").at("/message").asText())
                .isEqualTo(
                        "0/1 nodes are available: 1 node(s) were kept by reserved. no new claims to"
                                + " deallocate, preemption: 0/1 nodes are available: 1 Preemption is"
                                + " not helpful for scheduling.");
        // The other profiles know nothing of it.
        podOf("spreading", "q");
        assertThat(placeOf("q")).isEqualTo("a");

        node("b", "{}");
        assertThat(placeOf("p")).isEqualTo("b");
    }

    @Test
    void aPluginFromAJarOutweighsTheOthers() {
        for (var name : List.of("a", "b", "c", "d")) {
            node(name, "{}");
        }
        podOn("d", "busy", "{cpu: '5', memory: '5Gi'}");
        awaitKnown(4, 1);
        podOf("keeping", "p");
        assertThat(placeOf("p")).isEqualTo("d");
    }

    /// A second process, for pods that name no profile.
    @Test
    void withoutAFileThePluginsOfTheFolderJoinTheDefaultProfile() throws IOException {
        node("a", "{metadata: {labels: {kept: 'yes'}}}");
        node("b", "{}");
        podOn("b", "busy", "{cpu: '5', memory: '5Gi'}");
        awaitKnown(2, 1);
        pod("p", ONE, "{}");
        try (var second =
                plane().start(
                                program(),
                                "--leader-elect=false",
                                "--secure-port=0",
                                "--plugin-dir=" + pluginFolder())) {
            objects().awaitPod("p", LIMIT, second, pod -> pod.text("/spec/nodeName").equals("b"));
        }
    }
}
