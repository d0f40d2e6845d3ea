package io.berth.engine;

import io.berth.api.column.NodeColumns;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.DryRun;
import io.berth.api.plugin.Extender;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.Listers;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.NodeList;
import io.berth.api.plugin.NodeView;
import io.berth.api.plugin.Nominations;
import io.berth.api.plugin.Recorder;
import io.berth.api.plugin.SchedulerMetrics;
import io.berth.api.plugin.StateObserver;
import io.berth.api.plugin.Verdict;
import io.berth.api.plugin.WaitingPod;
import io.berth.engine.cycle.PreparingPods;
import io.berth.engine.cycle.WaitingPods;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.Profile;
import io.berth.engine.port.Ports;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.Collection;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The handle of one profile. Plugins get it before the profile is complete, so some of its answers
/// come from the engine, which fills them in once it is built.
final class EngineHandle implements Handle {
    private final String profileName;
    private final Engine engine;
    private final ClusterState state;
    private final ObjectStore objects;
    private final Nominations nominations;
    private final WaitingPods waiting;
    private final PreparingPods preparing;
    private final List<Extender> extenders;
    private final Ports ports;

    EngineHandle(
            String profileName,
            Engine engine,
            ClusterState state,
            ObjectStore objects,
            Nominations nominations,
            WaitingPods waiting,
            PreparingPods preparing,
            List<Extender> extenders,
            Ports ports) {
        this.profileName = profileName;
        this.engine = engine;
        this.state = state;
        this.objects = objects;
        this.nominations = nominations;
        this.waiting = waiting;
        this.preparing = preparing;
        this.extenders = extenders;
        this.ports = ports;
    }

    @Override
    public String profileName() {
        return profileName;
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
    public Nominations nominations() {
        return nominations;
    }

    @Override
    public ClusterWrites writes() {
        return ports.writes();
    }

    @Override
    public Recorder recorder() {
        return ports.recorder();
    }

    @Override
    public Log log() {
        return ports.log();
    }

    @Override
    public long nowMillis() {
        return ports.time().nowMillis();
    }

    @Override
    public RandomGenerator random() {
        return ports.random();
    }

    @Override
    public int parallelism() {
        return ports.workers().parallelism();
    }

    @Override
    public void parallel(int count, IntConsumer body) {
        ports.workers().forEach(count, body);
    }

    @Override
    public Collection<WaitingPod> waitingPods() {
        return waiting.all();
    }

    @Override
    public @Nullable WaitingPod waitingPod(String uid) {
        return waiting.find(uid);
    }

    @Override
    public boolean rejectWaitingPod(String uid) {
        var pod = waiting.find(uid);
        return pod != null && pod.reject("", "removed");
    }

    @Override
    public boolean cancelPreBind(String uid, String message) {
        return preparing.cancel(uid, message);
    }

    @Override
    public boolean isPreBindCancelled(String uid) {
        return preparing.isCancelled(uid);
    }

    @Override
    public void activate(Collection<Pod> pods) {
        var copy = List.copyOf(pods);
        engine.execute(() -> engine.activate(copy));
    }

    @Override
    public Verdict filterWithNominatedPods(Cycle cycle, Pod pod, NodeView node) {
        return profile().filterWithNominatedPods((CycleState) cycle, pod, node);
    }

    @Override
    public DryRun dryRun(Cycle cycle, Pod pod) {
        return profile().dryRun((CycleState) cycle, pod);
    }

    @Override
    public void observe(StateObserver observer) {
        state.observe(observer);
        objects.observe(observer);
    }

    @Override
    public void background(String name, Runnable task) {
        ports.tasks().start(name, task);
    }

    @Override
    public SchedulerMetrics metrics() {
        return ports.metrics().ofPlugins();
    }

    @Override
    public List<Extender> extenders() {
        return extenders;
    }

    @Override
    public List<String> pluginNames() {
        return profile().plugins().stream().map(plugin -> plugin.name()).toList();
    }

    private Profile profile() {
        return engine.profile(profileName);
    }
}
