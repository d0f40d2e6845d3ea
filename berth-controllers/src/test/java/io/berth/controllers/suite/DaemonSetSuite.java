package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.apiserver.conformance.Client;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Daemon sets.
public abstract class DaemonSetSuite extends SuiteBase {
    private String sets() {
        return path("apps", "daemonsets");
    }

    /// One for nodes with a label; there may be other nodes, of other tests.
    private static String daemons(String name, String label) {
        return workload(name, "", "nginx:1", "")
                .replace(
                        "\"containers\"",
                        "\"nodeSelector\":{\"" + label + "\":\"true\"},\"containers\"");
    }

    private List<String> nodes(String app) {
        return podsOf(app).stream().map(pod -> pod.at("/spec/nodeName").asText()).sorted().toList();
    }

    @Test
    void everyNodeHasOne() {
        created(sets(), daemons("agent", PlayedNodes.LABEL));
        untilAt(sets() + "/agent", "/status/numberReady", "3");
        assertThat(nodes("agent")).isEqualTo(PlayedNodes.NAMES);
        assertThat(client.get(sets() + "/agent").at("/status/desiredNumberScheduled"))
                .isEqualTo("3");
    }

    /// The scheduler places them, by a name that no other node has.
    @Test
    void podAsksForItsNodeByName() {
        created(sets(), daemons("agent", PlayedNodes.LABEL));
        untilAt(sets() + "/agent", "/status/numberReady", "3");
        var pod = podsOf("agent").getFirst();
        var field =
                pod.at(
                        "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                                + "/nodeSelectorTerms/0/matchFields/0");
        assertThat(field.path("key").asText()).isEqualTo("metadata.name");
        assertThat(field.at("/values/0").asText()).isEqualTo(pod.at("/spec/nodeName").asText());
        assertThat(pod.at("/spec/tolerations").toString())
                .contains("node.kubernetes.io/unschedulable")
                .contains("node.kubernetes.io/not-ready");
    }

    @Test
    void nodesAreChosenByLabelAndTaint() {
        String body =
                workload("picky", "", "nginx:1", "")
                        .replace(
                                "\"containers\"",
                                "\"nodeSelector\":{\"topology.kubernetes.io/zone\":\"zone-1\"},\"containers\"");
        created(sets(), body);
        untilAt(sets() + "/picky", "/status/numberReady", "1");
        assertThat(nodes("picky")).containsExactly("played-1");
        assertThat(client.get(sets() + "/picky").at("/status/desiredNumberScheduled"))
                .isEqualTo("1");
    }

    @Test
    void nodeThatComesGetsOneAndNodeThatGoesTakesItAlong() {
        String label = "for-" + namespace;
        created(sets(), daemons("agent", label));
        String extra = "extra-" + namespace;
        created(
                "/api/v1/nodes",
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"%s\":\"true\"}}}"
                        .formatted(extra, label));
        until("it has one", () -> nodes("agent").equals(List.of(extra)));
        untilAt(sets() + "/agent", "/status/desiredNumberScheduled", "1");
        client.delete("/api/v1/nodes/" + extra);
        untilAt(sets() + "/agent", "/status/desiredNumberScheduled", "0");
        until("it has none", () -> nodes("agent").isEmpty());
    }

    @Test
    void newTemplateReplacesOneAfterTheOther() {
        created(sets(), daemons("agent", PlayedNodes.LABEL));
        untilAt(sets() + "/agent", "/status/numberReady", "3");
        setImage(sets() + "/agent", "nginx:2");
        until(
                "all are new",
                () -> {
                    var set = client.get(sets() + "/agent");
                    return set.at("/status/observedGeneration")
                                    .equals(set.at("/metadata/generation"))
                            && set.at("/status/updatedNumberScheduled").equals("3")
                            && set.at("/status/numberAvailable").equals("3");
                });
        assertThat(podsOf("agent"))
                .allMatch(pod -> pod.at("/spec/containers/0/image").asText().equals("nginx:2"));
        // kubectl rollout undo: the revision is a patch.
        var first =
                items(path("apps", "controllerrevisions")).stream()
                        .filter(each -> each.path("revision").asInt() == 1)
                        .findFirst()
                        .orElseThrow();
        client.patch(sets() + "/agent", Client.STRATEGIC, first.path("data").toString());
        until(
                "all are old again",
                () ->
                        podsOf("agent").size() == 3
                                && podsOf("agent").stream()
                                        .allMatch(pod ->
                                                pod.at("/spec/containers/0/image")
                                                        .asText()
                                                        .equals("nginx:1")));
    }
}
