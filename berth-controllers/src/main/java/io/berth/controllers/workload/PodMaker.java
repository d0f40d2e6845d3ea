package io.berth.controllers.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.DeleteHow;
import io.berth.controllers.client.Resource;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Makes pods of templates and deletes them, many at once.
///
/// Pods are made in groups that double in size while all goes well, so that what every one of them
/// would be refused for is asked a few times and not a thousand times.
public final class PodMaker {
    private static final int FIRST_GROUP = 4;
    private static final int LARGEST_GROUP = 500;

    private final Cluster cluster;

    public PodMaker(Cluster cluster) {
        this.cluster = cluster;
    }

    /// A pod of a template, nameless yet and owned.
    public static ObjectNode fromTemplate(JsonNode template, Resource kind, Meta owner) {
        ObjectNode pod = Trees.object();
        ObjectNode metadata = pod.putObject("metadata");
        for (String field : List.of("labels", "annotations", "finalizers")) {
            if (template.path("metadata").has(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        metadata.put("generateName", prefix(owner.name()));
        metadata.putArray("ownerReferences").add(Owner.managing(kind, owner).tree());
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }

    private static String prefix(String owner) {
        return owner + "-";
    }

    /// Creates pods.
    ///
    /// @throws ApiFailure the first refusal, after those of its group were tried
    public void create(String namespace, List<ObjectNode> pods) {
        int group = FIRST_GROUP;
        for (int done = 0; done < pods.size(); ) {
            List<ObjectNode> now = pods.subList(done, Math.min(pods.size(), done + group));
            together(now.stream().<Runnable>map(pod -> () -> create(namespace, pod)).toList());
            done += now.size();
            group = Math.min(group * 2, LARGEST_GROUP);
        }
    }

    public PodFacts create(String namespace, ObjectNode pod) {
        return cluster.pods().written(cluster.client().create(Resource.PODS, namespace, pod));
    }

    public void delete(List<PodFacts> pods) {
        together(pods.stream().<Runnable>map(pod -> () -> delete(pod)).toList());
    }

    public void delete(PodFacts pod) {
        cluster.delete(Resource.PODS, pod.meta(), DeleteHow.exactly(pod.meta().uid()));
    }

    /// Runs errands side by side and waits for all of them.
    ///
    /// @throws ApiFailure the first failure
    public static void together(List<Runnable> errands) {
        if (errands.size() == 1) {
            errands.getFirst().run();
            return;
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            errands.forEach(each -> running.add(threads.submit(call(each))));
            ApiFailure first = null;
            for (Future<?> each : running) {
                try {
                    each.get();
                } catch (ExecutionException failed) {
                    if (!(failed.getCause() instanceof ApiFailure failure)) {
                        throw new IllegalStateException(failed.getCause());
                    }
                    first = first == null ? failure : first;
                }
            }
            if (first != null) {
                throw first;
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new ApiFailure(0, "", "stopped while pods were made");
        }
    }

    private static Callable<Void> call(Runnable errand) {
        return () -> {
            errand.run();
            return null;
        };
    }
}
