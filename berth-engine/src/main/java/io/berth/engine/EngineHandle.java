package io.berth.engine;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.DryRun;
import io.berth.api.handle.Extender;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Listers;
import io.berth.api.handle.Log;
import io.berth.api.handle.NodeList;
import io.berth.api.handle.Nominations;
import io.berth.api.handle.OwnMetrics;
import io.berth.api.handle.Recorder;
import io.berth.api.handle.SchedulerMetrics;
import io.berth.api.handle.StateObserver;
import io.berth.api.handle.WaitingPod;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Verdict;
import io.berth.engine.cycle.PreparingPods;
import io.berth.engine.cycle.WaitingPods;
import io.berth.engine.framework.CycleState;
import io.berth.engine.port.Ports;
import io.berth.engine.profile.Profile;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The handle of one profile. Plugins get it before the profile is complete, so some of its answers
/// have to wait for that.
final class EngineHandle implements Handle {
    private final String profileName;
    private final Engine engine;
    private final ClusterState state;
    private final ObjectStore objects;
    private final Nominations nominations;
    private final WaitingPods waiting;
    private final PreparingPods preparing;
    private final List<Extender> extenders;
    private final RandomGenerator random;
    private final Ports ports;
    private volatile @Nullable Profile profile;

    EngineHandle(
            String profileName,
            Engine engine,
            ClusterState state,
            ObjectStore objects,
            Nominations nominations,
            WaitingPods waiting,
            PreparingPods preparing,
            List<Extender> extenders,
            RandomGenerator random,
            Ports ports) {
        this.profileName = profileName;
        this.engine = engine;
        this.state = state;
        this.objects = objects;
        this.nominations = nominations;
        this.waiting = waiting;
        this.preparing = preparing;
        this.extenders = extenders;
        this.random = random;
        this.ports = ports;
    }

    @Override
    public boolean isFeatureOn(String gate) {
        return engine.isFeatureOn(gate);
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
        return new PluginWrites(ports.writes());
    }

    @Override
    public void nominate(Pod pod, String node, Consumer<@Nullable String> whenDone) {
        engine.nominate(pod, node, whenDone);
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
        return engine.wallMillis();
    }

    @Override
    public RandomGenerator random() {
        return random;
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
        boolean isStopped = engine.outside().is(() -> preparing.cancel(uid, message));
        if (isStopped) {
            engine.preBindCancelled(uid, message);
        }
        return isStopped;
    }

    @Override
    public boolean isPreBindCancelled(String uid) {
        return engine.outside().is(() -> preparing.isCancelled(uid));
    }

    @Override
    public void activate(Collection<Pod> pods) {
        engine.activate(pods);
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
    public void staleSlot(int slot) {
        state.changes().told(slot);
    }

    @Override
    public void staleSlots() {
        state.changes().allTold();
    }

    /// While the plugins are made nothing is kept yet.
    @Override
    public void staleSpec(PodSpec spec) {
        var made = profile;
        if (made != null) {
            made.drop(spec);
        }
    }

    @Override
    public <T> T shared(Class<T> type, Supplier<T> make) {
        return engine.shared(type, make);
    }

    @Override
    public void background(String name, Runnable task) {
        // Whether there is a thread is nothing that a replay could know.
        if (!engine.outside().is(() -> isStarted(name, task))) {
            throw new RejectedExecutionException("no thread for the task \"" + name + "\"");
        }
    }

    private boolean isStarted(String name, Runnable task) {
        try {
            ports.tasks().start(name, task);
            return true;
        } catch (Throwable refused) {
            ports.log().error(refused, "Failed to start a task", "task", name);
            return false;
        }
    }

    @Override
    public long outside(LongSupplier look) {
        return engine.outside().number(look);
    }

    @Override
    public SchedulerMetrics metrics() {
        return ports.metrics().ofPlugins();
    }

    @Override
    public OwnMetrics ownMetrics() {
        return ports.metrics().ownMetrics();
    }

    @Override
    public List<Extender> extenders() {
        return extenders;
    }

    @Override
    public List<String> pluginNames() {
        return profile().plugins().stream().map(plugin -> plugin.name()).toList();
    }

    /// All plugins of the profile are made.
    void complete(Profile made) {
        profile = made;
    }

    private Profile profile() {
        var made = profile;
        if (made == null) {
            throw new IllegalStateException(
                    "the plugins of profile \"%s\" are still being made: ask for them in an attempt, not in create"
                            .formatted(profileName));
        }
        return made;
    }
}
