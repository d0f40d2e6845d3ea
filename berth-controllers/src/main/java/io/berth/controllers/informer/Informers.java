package io.berth.controllers.informer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.KubeClient;
import io.berth.controllers.client.Resource;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Trees;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// One informer for each kind that a controller asks for, shared by all who do. Asked for while the
/// controllers are built, started once.
public final class Informers implements AutoCloseable {
    /// Kinds of which nobody reads more than names and owners.
    private static final Set<Resource> METADATA_ONLY =
            Set.of(
                    Resource.SERVICE_ACCOUNTS,
                    Resource.CONFIG_MAPS,
                    Resource.SECRETS,
                    Resource.SERVICES,
                    Resource.RESOURCE_SLICES);

    private final KubeClient client;
    private final Informer<PodFacts> pods;
    private final Map<Resource, Informer<KubeObject>> others = new LinkedHashMap<>();

    public Informers(KubeClient client) {
        this.client = client;
        this.pods = new Informer<>(client, Resource.PODS, PodFacts::of, Informers::words);
    }

    private static Collection<String> words(PodFacts pod) {
        return pod.node().isEmpty() ? List.of() : List.of(onNode(pod.node()));
    }

    /// The word by which the pods of a node are found.
    public static String onNode(String node) {
        return "node:" + node;
    }

    public Informer<PodFacts> pods() {
        return pods;
    }

    public Informer<KubeObject> of(Resource resource) {
        return others.computeIfAbsent(
                resource, kind -> new Informer<>(client, kind, decoder(kind), _ -> List.of()));
    }

    /// The informer of any kind, pods included.
    public Informer<? extends Held> any(Resource resource) {
        return resource.equals(Resource.PODS) ? pods : of(resource);
    }

    private static Function<ObjectNode, KubeObject> decoder(Resource resource) {
        return METADATA_ONLY.contains(resource)
                ? tree -> new KubeObject(Meta.of(tree), Trees.object())
                : KubeObject::of;
    }

    public void start() {
        pods.start();
        others.values().forEach(Informer::start);
    }

    /// Waits until each has seen everything once.
    ///
    /// @return false if that took longer than the limit
    public boolean awaitSync(Duration limit) throws InterruptedException {
        boolean all = pods.awaitSync(limit);
        for (Informer<?> each : others.values()) {
            all &= each.awaitSync(limit);
        }
        return all;
    }

    @Override
    public void close() {
        pods.close();
        others.values().forEach(Informer::close);
    }
}
