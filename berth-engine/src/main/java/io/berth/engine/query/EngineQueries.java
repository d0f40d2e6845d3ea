package io.berth.engine.query;

import io.berth.api.event.ClusterEvent;
import io.berth.api.explain.Explanation;
import io.berth.api.explain.Standing;
import io.berth.api.handle.WaitingPod;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.PreemptionPreview.Preview;
import io.berth.api.relax.Relaxation;
import io.berth.api.spec.Volume;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.profile.Profile;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.queue.Turn;
import io.berth.engine.search.Room;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The questions that an engine answers. Asking changes nothing, and an answer holds nothing that
/// the engine goes on changing, so it may be kept and handed to other threads.
///
/// Used on the engine thread; others have their questions taken there by `Engine.ask`.
public final class EngineQueries {
    private final ClusterState state;
    private final ObjectStore objects;
    private final SchedulingQueue queue;
    private final UnderWay underWay;
    private final Map<String, Profile> profiles;
    private final BooleanSupplier isReady;

    public EngineQueries(
            Books books,
            UnderWay underWay,
            Map<String, Profile> profiles,
            BooleanSupplier isReady) {
        this.state = books.state();
        this.objects = books.objects();
        this.queue = books.queue();
        this.underWay = underWay;
        this.profiles = profiles;
        this.isReady = isReady;
    }

    /// Whether all awaited kinds have been listed completely.
    public boolean isReady() {
        return isReady.getAsBoolean();
    }

    /// How many bindings and status writes are under way, pods that wait for a permit included.
    public int underWay() {
        return underWay.bindings().underWay() + underWay.statuses().underWay();
    }

    /// How many pods have a write under way that may have been sent.
    public int writesUnderWay() {
        return underWay.bindings().underWay()
                + underWay.statuses().sent()
                - underWay.waiting().count();
    }

    /// How many attempts have begun so far.
    public long attemptCount() {
        return queue.schedulingCycle();
    }

    /// The names of the profiles.
    public Set<String> profiles() {
        return Set.copyOf(profiles.keySet());
    }

    /// What every node would be to a pod if it were tried now; empty where the pod is for none of
    /// our profiles. Extenders are not asked.
    ///
    /// @throws io.berth.engine.framework.PluginFailure where a plugin breaks
    public Optional<Explanation> explain(Pod pod) {
        return Optional.ofNullable(profiles.get(pod.spec().schedulerName()))
                .map(profile -> profile.explain(pod));
    }

    /// How a node stands among all that could take a pod now, every one of them scored; empty where
    /// the pod is for none of our profiles. Extenders are not asked.
    ///
    /// @throws io.berth.engine.framework.PluginFailure where a plugin breaks
    public Optional<Standing> standing(Pod pod, String node) {
        return Optional.ofNullable(profiles.get(pod.spec().schedulerName()))
                .map(profile -> profile.standing(pod, node));
    }

    /// How many nodes could take a pod now, and the first of them; none where it is for none of our
    /// profiles.
    ///
    /// @throws io.berth.engine.framework.PluginFailure where a plugin breaks
    public Room room(Pod pod) {
        var profile = profiles.get(pod.spec().schedulerName());
        return profile == null ? Room.NONE : profile.room(pod);
    }

    /// The names of the nodes that could take a pod now; none where it is for none of our profiles.
    ///
    /// @throws io.berth.engine.framework.PluginFailure where a plugin breaks
    public List<String> feasible(Pod pod) {
        var profile = profiles.get(pod.spec().schedulerName());
        return profile == null ? List.of() : profile.feasible(pod);
    }

    /// The first of the nodes that [#feasible] names, for which no more are judged than needed.
    public Optional<String> firstFeasible(Pod pod) {
        return Optional.ofNullable(profiles.get(pod.spec().schedulerName()))
                .flatMap(profile -> profile.firstFeasible(pod));
    }

    /// Whether [#feasible] names a node, for which no other is judged.
    public boolean isFeasible(Pod pod, String node) {
        var profile = profiles.get(pod.spec().schedulerName());
        return profile != null && profile.isFeasible(pod, node);
    }

    /// Whom preemption would evict for a pod now, at most so many options; empty where no plugin
    /// can tell, or where the pod is refused before any node is looked at.
    ///
    /// @throws io.berth.engine.framework.PluginFailure where a plugin breaks
    public Optional<Preview> preemption(Pod pod, int most) {
        return Optional.ofNullable(profiles.get(pod.spec().schedulerName()))
                .flatMap(profile -> profile.preview(pod, most));
    }

    /// What a plugin of the pod's profile proposes so that it passes on some nodes.
    public List<Relaxation> relaxations(String plugin, Pod pod, List<Obstacle> obstacles) {
        var profile = profiles.get(pod.spec().schedulerName());
        return profile == null ? List.of() : profile.relaxations(plugin, pod, obstacles);
    }

    /// Which events have a pod of ours tried again that these plugins have refused.
    public List<ClusterEvent> wakeups(Pod pod, Collection<String> plugins) {
        var profile = profiles.get(pod.spec().schedulerName());
        return profile == null
                ? List.of()
                : plugins.stream().flatMap(each -> profile.wakeups(each).stream()).toList();
    }

    /// All pods as last seen, those of other schedulers too.
    public List<Pod> pods() {
        var pods = new ArrayList<Pod>(objects.podCount());
        objects.forEachPod(pods::add);
        return pods;
    }

    /// All nodes, in the order in which they are visited.
    public List<NodeState> nodes() {
        return state.knownNodesInOrder().stream().map(NodeState::of).toList();
    }

    public @Nullable Node node(String name) {
        return state.node(name);
    }

    /// The pods in the queue: active ones and those that back off in the order in which they are to
    /// be tried, then parked ones in the order of parking.
    public List<PendingPod> queue() {
        return queue.pending().stream().map(PendingPod::of).toList();
    }

    /// A pod in the queue, by `namespace/name`.
    public Optional<PendingPod> pending(String key) {
        return Optional.ofNullable(queue.find(key)).map(PendingPod::of);
    }

    /// How many pods wait in which part of the queue.
    public SchedulingQueue.Counts counts() {
        return queue.counts();
    }

    /// The pods that wait for a permit.
    public List<PermitWait> waiting() {
        return underWay.waiting().all().stream().map(EngineQueries::permitWait).toList();
    }

    /// The same of one pod.
    public Optional<PermitWait> waiting(String podUid) {
        return Optional.ofNullable(underWay.waiting().find(podUid)).map(EngineQueries::permitWait);
    }

    private static PermitWait permitWait(WaitingPod pod) {
        return new PermitWait(pod.pod(), pod.pendingPlugins());
    }

    /// The pods that are nominated to a node, by the node's name, each node's in the order of
    /// nomination.
    public Map<String, List<Pod>> nominations() {
        var nominations = new LinkedHashMap<String, List<Pod>>();
        for (var node : queue.nominator().nodes()) {
            nominations.put(node, List.copyOf(queue.nominator().on(node)));
        }
        return nominations;
    }

    /// The node that a pod is nominated to.
    public Optional<String> nominationOf(String podUid) {
        return queue.nominator().nodeOf(podUid);
    }

    /// Whether a pod is placed in our books, its binding still under way, that names claims:
    /// plugins may have promised it volumes or devices, which [#image] and [#difference] do not
    /// tell of.
    public boolean hasPromises() {
        return state.isAnyAssumed(EngineQueries::namesClaims);
    }

    /// Whether a pod uses claims for volumes or devices.
    public static boolean namesClaims(Pod pod) {
        return !pod.spec().resourceClaims().isEmpty()
                || pod.spec().volumes().stream()
                        .anyMatch(volume ->
                                volume.source() instanceof Volume.Claim
                                        || volume.source() instanceof Volume.Ephemeral);
    }

    /// Whether a pod is placed in our books, its binding still under way.
    public boolean isAssumed(String podUid) {
        return state.isAssumed(podUid);
    }

    /// The cluster as the engine takes it to be: a pod that is assumed has its node, and a pod in
    /// the queue is nominated to the node that it is nominated to here, whether or not the API
    /// server knows. An engine that is filled with it judges as this one does, with two exceptions:
    /// what a node tells of its images, which depends on when it last changed (E-17), and volumes
    /// and devices that plugins have promised to assumed pods, which are as the API server has them
    /// until they are written (see [#hasPromises]).
    public ClusterImage image() {
        return ImageTaker.take(state, objects, queue);
    }

    /// What has changed in it since an earlier look; all of it where there was none. It takes the
    /// longer the more that is, and never much longer than [#image]. Promised volumes and devices
    /// are as little in it as there.
    public Difference difference(Difference.@Nullable Mark since) {
        return new DifferenceTaker(new Books(state, objects, queue)).since(since);
    }

    /// A pod as [#image] has it, by `namespace/name`.
    public Optional<Pod> pod(String key) {
        var info = queue.find(key);
        if (info != null) {
            var node = queue.nominator().nodeOf(info.pod().uid()).orElse("");
            return Optional.of(ImageTaker.nominated(info.pod(), node));
        }
        int slash = key.indexOf('/');
        var seen =
                slash < 0 ? null : objects.pod(key.substring(0, slash), key.substring(slash + 1));
        if (seen == null) {
            return Optional.empty();
        }
        var held = state.podOf(seen.uid());
        return Optional.of(held == null ? seen : held);
    }

    /// The pods that [#image] has and that are on no node: those of the queue in its order, then
    /// others.
    public List<Pod> podsWithoutNode() {
        return ImageTaker.pending(state, objects, queue);
    }

    /// The names of all nodes in the order in which an attempt would visit them now.
    public List<String> nodeOrder() {
        return DifferenceTaker.order(state);
    }

    /// Whether [#nodeOrder] says this.
    public boolean isNodeOrder(List<String> names) {
        int[] slots = state.nextOrder();
        boolean isSame = slots.length == names.size();
        for (int i = 0; isSame && i < slots.length; i++) {
            isSame = state.view(slots[i]).name().equals(names.get(i));
        }
        return isSame;
    }

    /// Another one whenever [#nodeOrder] may say something else.
    public long nodeOrderVersion() {
        return state.nextOrderVersion();
    }

    /// The pods on a node, assumed ones included, in the order in which they are kept there.
    public List<Pod> podsOn(String node) {
        return List.copyOf(state.podsOn(node));
    }

    /// An active pod's turn, by `namespace/name`, with so many of the pods before it; empty where
    /// too many are to be counted.
    public Optional<Turn> turn(String key, int most) {
        return queue.turn(key, most);
    }

    /// Works out anew what is kept and tells where it differs; empty when all is well.
    public List<String> recount() {
        return state.recount();
    }

    /// The pods in flight, by uid.
    public Set<String> inFlight() {
        return Set.copyOf(queue.inFlightUids());
    }
}
