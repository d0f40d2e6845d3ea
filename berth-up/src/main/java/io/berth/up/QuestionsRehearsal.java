package io.berth.up;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.app.explain.LiveExplanations;
import io.berth.app.explain.LiveState;
import io.berth.engine.port.ClusterImage;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import io.berth.kube.read.ClusterLists;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.Question;
import io.berth.lab.text.ExplanationJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The part of a rehearsal in which somebody asks why pods wait, so that the first who does ask a
/// scheduler does not wait for classes to be loaded.
final class QuestionsRehearsal {
    private static final int ROUNDS = 30;
    private static final int PLACED = 2;

    /// Asks about the pods that wait in a cluster, and some that do not.
    void run(Path kubeconfig) throws IOException {
        var setup = UpPage.setup();
        var image = image(kubeconfig);
        try (var explanations =
                new LiveExplanations(
                        setup.settings(),
                        setup.registry(),
                        "",
                        () -> CompletableFuture.completedFuture(LiveState.of(image)))) {
            var studies = explanations.studies();
            for (int round = 0; round < ROUNDS; round++) {
                studies.ask(QuestionsRehearsal::ask);
            }
        }
    }

    private static int ask(ClusterStudy study) {
        var pods = new ArrayList<Pod>(study.pending());
        int waiting = pods.size();
        study.cluster()
                .forEachPod(pod -> {
                    if (pod.isAssigned() && pods.size() < waiting + PLACED) {
                        pods.add(pod);
                    }
                });
        for (var pod : pods) {
            ExplanationJson.of(study.explain(pod, Question.USUAL));
        }
        return pods.size();
    }

    private static ClusterImage image(Path kubeconfig) throws IOException {
        var connection = KubeConfig.load(kubeconfig).connection("");
        var objects = new ArrayList<ClusterObject>();
        try (var client = new ApiClient(connection, ClientOptions.DEFAULT.withRate(-1, 0))) {
            var lists = new ClusterLists(client);
            for (var kind : List.of(Kind.NODE, Kind.POD)) {
                objects.addAll(lists.list(kind, _ -> {}).objects());
            }
        }
        return ClusterImage.of(objects);
    }
}
