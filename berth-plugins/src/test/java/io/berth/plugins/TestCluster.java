package io.berth.plugins;

import io.berth.api.column.NodeColumns;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.DryRun;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.Listers;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.NodeList;
import io.berth.api.plugin.NodeView;
import io.berth.api.plugin.Nominations;
import io.berth.api.plugin.Recorder;
import io.berth.api.plugin.StateObserver;
import io.berth.api.plugin.Verdict;
import io.berth.api.plugin.WaitingPod;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The engine's real state, and a handle for plugins on it.
public final class TestCluster implements Handle {
    public final ClusterState state = new ClusterState(Log.NONE, 4, 2);
    public final ObjectStore objects = new ObjectStore();
    public final List<String> bound = new ArrayList<>();

    public TestCluster add(ClusterObject... all) {
        for (var object : all) {
            switch (object) {
                case Node node -> state.addNode(node);
                case Pod pod -> state.addPod(pod);
                default -> objects.put(object);
            }
        }
        return this;
    }

    public NodeView view(String node) {
        return state.view(state.columns().slotOf(node));
    }

    @Override
    public String profileName() {
        return "default-scheduler";
    }

    @Override
    public NodeList nodes() {
        return state.nodes();
    }

    @Override
    public NodeColumns columns() {
        return state.columns();
    }

    @Override
    public Listers listers() {
        return objects;
    }

    @Override
    public ClusterWrites writes() {
        return new ClusterWrites() {
            @Override
            public void bind(Pod pod, String node) {
                bound.add(pod.key() + " " + pod.uid() + " -> " + node);
            }

            @Override
            public void patchStatus(
                    Pod pod, @Nullable PodCondition condition, @Nullable String nominatedNode) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void delete(Pod pod) {
                throw new UnsupportedOperationException();
            }
        };
    }

    @Override
    public void observe(StateObserver observer) {
        state.observe(observer);
        objects.observe(observer);
    }

    @Override
    public Nominations nominations() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Recorder recorder() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long nowMillis() {
        return 0;
    }

    @Override
    public RandomGenerator random() {
        return new Random(1);
    }

    @Override
    public int parallelism() {
        return 1;
    }

    @Override
    public void parallel(int count, IntConsumer body) {
        for (int i = 0; i < count; i++) {
            body.accept(i);
        }
    }

    @Override
    public Collection<WaitingPod> waitingPods() {
        return List.of();
    }

    @Override
    public @Nullable WaitingPod waitingPod(String uid) {
        return null;
    }

    @Override
    public boolean rejectWaitingPod(String uid) {
        return false;
    }

    @Override
    public boolean cancelPreBind(String uid, String message) {
        return false;
    }

    @Override
    public boolean isPreBindCancelled(String uid) {
        return false;
    }

    @Override
    public void activate(Collection<Pod> pods) {}

    @Override
    public Verdict filterWithNominatedPods(Cycle cycle, Pod pod, NodeView node) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void background(String name, Runnable task) {
        task.run();
    }

    @Override
    public List<String> pluginNames() {
        return List.of();
    }

    @Override
    public Log log() {
        return Log.NONE;
    }

    @Override
    public DryRun dryRun(Cycle cycle, Pod pod) {
        throw new UnsupportedOperationException("dry runs need a whole engine: use TestScheduler");
    }
}
