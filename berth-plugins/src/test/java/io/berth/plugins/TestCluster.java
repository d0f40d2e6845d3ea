package io.berth.plugins;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.DryRun;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Listers;
import io.berth.api.handle.Log;
import io.berth.api.handle.NodeList;
import io.berth.api.handle.Nominations;
import io.berth.api.handle.Recorder;
import io.berth.api.handle.SchedulerMetrics;
import io.berth.api.handle.StateObserver;
import io.berth.api.handle.WaitingPod;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Verdict;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The engine's real state, and a handle for plugins on it.
public final class TestCluster implements Handle {
    public final ClusterState state = new ClusterState(Log.NONE, 4, 2);
    public final ObjectStore objects = new ObjectStore();
    public final List<String> bound = new ArrayList<>();
    public final Set<String> features = new HashSet<>();

    /// The stages in which something about volumes broke.
    public final List<String> brokenStages = new ArrayList<>();

    private final Map<Class<?>, Object> shared = new HashMap<>();

    @Override
    public SchedulerMetrics metrics() {
        return new SchedulerMetrics() {
            @Override
            public void volumeStageFailed(String operation) {
                brokenStages.add(operation);
            }
        };
    }

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
    public boolean isFeatureOn(String gate) {
        return features.contains(gate);
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
        return (write, departure) -> {
            var binding = (Write.Bind) write;
            var pod = binding.pod();
            bound.add(pod.key() + " " + pod.uid() + " -> " + binding.node());
            return Receipt.SENT;
        };
    }

    @Override
    public void nominate(Pod pod, String node, Consumer<@Nullable String> whenDone) {
        throw new UnsupportedOperationException();
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
    public void staleSlot(int slot) {
        state.changes().told(slot);
    }

    @Override
    public void staleSlots() {
        state.changes().allTold();
    }

    @Override
    public void staleSpec(PodSpec spec) {}

    @Override
    public <T> T shared(Class<T> type, Supplier<T> make) {
        return type.cast(shared.computeIfAbsent(type, key -> make.get()));
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
