package io.berth.plugins.volumebinding;

import io.berth.api.assume.AssumeException;
import io.berth.api.column.NodeColumns;
import io.berth.api.event.Registration;
import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.plugin.Awaited;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.ReserveVerdict;
import io.berth.api.write.Write;
import io.berth.api.write.Written;
import io.berth.plugins.noderesources.BrokenLinear;
import io.berth.plugins.volume.PodClaims;
import io.berth.plugins.volume.VolumeRelaxations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings a pod to a node from which its volumes can be reached, or for which they can be made, and
/// has them bound before the pod is.
///
/// ```
///  engine thread                                       binding thread
///  preFilter: sort the claims ─► filter ─► reserve: assume ─► preBind: write volumes, then claims
///  unreserve: take back what was not written ◄── failed ◄──┤
///  look every second whether all claims are bound ◄────────┘ ─► bind
/// ```
public final class VolumeBinding
        implements PreFilter,
                ClusterFilter,
                PreScore,
                ClusterScore,
                Reserve,
                PreBind,
                Events,
                Relaxable {
    public static final String NAME = "VolumeBinding";

    /// The feature gate that has storage count in scores.
    static final String SCORING = "StorageCapacityScoring";

    static final Refusal UNBOUND_IMMEDIATE =
            Refusal.hopeless("pod has unbound immediate PersistentVolumeClaims");

    private final VolumeBindingArguments arguments;
    private final Handle handle;
    private final Lister<PersistentVolumeClaim> claims;
    private final Lister<StorageClass> classes;
    private final AssumedVolumes assumed;
    private final Reachable reachable;
    private final Provisioning provisioning;

    /// Null where storage does not count in scores.
    private final @Nullable BrokenLinear function;

    public VolumeBinding(VolumeBindingArguments arguments, Handle handle) {
        this.arguments = arguments;
        this.handle = handle;
        var listers = handle.listers();
        this.claims = listers.of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
        this.classes = listers.of(Kind.STORAGE_CLASS, StorageClass.class);
        this.assumed = AssumedVolumes.of(handle);
        this.reachable = new Reachable(handle);
        var capacities = new Capacities(handle.columns());
        handle.observe(capacities);
        this.provisioning =
                new Provisioning(classes, listers.of(Kind.CSI_DRIVER, CsiDriver.class), capacities);
        var shape =
                arguments.shape().isEmpty()
                        ? VolumeBindingArguments.DEFAULT_SHAPE
                        : arguments.shape();
        this.function = handle.isFeatureOn(SCORING) ? new BrokenLinear(shape) : null;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Registration> events() {
        return VolumeHints.registrations();
    }

    /// How many volumes and claims are changed in thought, of all pods.
    public int assumedCount() {
        return assumed.count();
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return VolumeRelaxations.of(handle, pod, obstacles);
    }

    // --- before the nodes

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        boolean hasClaims = false;
        for (var volume : pod.spec().volumes()) {
            var name = PodClaims.nameOf(pod, volume);
            if (name != null) {
                hasClaims = true;
                var problem = problem(pod, volume, name);
                if (problem != null) {
                    return Refusal.hopeless(problem);
                }
            }
        }
        if (!hasClaims) {
            cycle.put(PodVolumes.KEY, new PodVolumes(List.of(), List.of()));
            return PreFilterVerdict.SKIP;
        }
        return classify(cycle, pod);
    }

    /// Why a claim will not do (VB-2); null where it may.
    private @Nullable String problem(Pod pod, Volume volume, String name) {
        boolean isEphemeral = volume.source() instanceof Volume.Ephemeral;
        var claim = claims.get(pod.namespace(), name);
        if (claim == null) {
            return isEphemeral
                    ? "waiting for ephemeral volume controller to create the"
                            + " persistentvolumeclaim \"%s\"".formatted(name)
                    : PodClaims.notFound("persistentvolumeclaim", name);
        }
        if (claim.isLost()) {
            return "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
                    .formatted(name, claim.volumeName());
        }
        if (claim.isDeleting()) {
            return "persistentvolumeclaim \"%s\" is being deleted".formatted(name);
        }
        return isEphemeral && !PodClaims.isMadeFor(pod, claim)
                ? PodClaims.notMadeFor(pod, claim)
                : null;
    }

    private PreFilterVerdict classify(Cycle cycle, Pod pod) {
        var bound = new ArrayList<PersistentVolumeClaim>();
        var delayed = new ArrayList<PersistentVolumeClaim>();
        boolean hasImmediate = false;
        for (var volume : pod.spec().volumes()) {
            var name = PodClaims.nameOf(pod, volume);
            var claim = name == null ? null : assumed.claim(pod.namespace(), name);
            if (claim == null) {
                continue;
            }
            if (claim.isBound()) {
                bound.add(claim);
            } else if (isDelayed(claim)) {
                delayed.add(claim);
            } else {
                hasImmediate = true;
            }
        }
        if (hasImmediate) {
            return UNBOUND_IMMEDIATE;
        }
        cycle.put(PodVolumes.KEY, new PodVolumes(bound, delayed));
        return PreFilterVerdict.PASS;
    }

    /// Whether the claim gets its volume when its pod has a node (VB-4).
    private boolean isDelayed(PersistentVolumeClaim claim) {
        var storageClass =
                claim.storageClass().isEmpty() ? null : classes.get(claim.storageClass());
        if (storageClass == null) {
            return false;
        }
        if (storageClass.bindingMode() == BindingMode.UNSET) {
            throw new IllegalStateException(
                    "VolumeBindingMode not set for StorageClass \"%s\""
                            .formatted(storageClass.name()));
        }
        return storageClass.bindingMode() == BindingMode.WAIT_FOR_FIRST_CONSUMER
                && claim.volumeName().isEmpty();
    }

    // --- per node

    @Override
    public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
        try {
            var judge = volumeJudge(cycle, columns);
            return judge.passesAll() ? SlotJudge.PASS_ALL : judge;
        } catch (IllegalStateException broken) {
            noteTrouble();
            throw broken;
        }
    }

    private VolumeJudge volumeJudge(Cycle cycle, NodeColumns columns) {
        return new VolumeJudge(
                cycle.read(PodVolumes.KEY),
                assumed,
                reachable,
                provisioning,
                columns,
                this::noteTrouble);
    }

    private void noteTrouble() {
        handle.metrics().volumeStageFailed("predicate");
    }

    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        return function != null;
    }

    @Override
    public SlotScore scorer(Cycle cycle, Pod pod, NodeColumns columns) {
        if (function == null) {
            return SlotScore.NONE;
        }
        var judge = volumeJudge(cycle, columns);
        var use = new StorageUse(function);
        return slot -> {
            judge.addUp(slot, use);
            return use.score();
        };
    }

    // --- the node is chosen

    @Override
    public ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName) {
        var notes = cycle.read(PodVolumes.KEY);
        notes.choose(null);
        if (notes.delayed().isEmpty()) {
            return ReserveVerdict.PASS;
        }
        int slot = handle.columns().slotOf(nodeName);
        var choice = slot < 0 ? null : volumeJudge(cycle, handle.columns()).choice(slot);
        if (choice != null) {
            assume(choice, nodeName);
        }
        notes.choose(choice);
        return ReserveVerdict.PASS;
    }

    /// All or nothing.
    private void assume(PodVolumes.Choice choice, String nodeName) {
        try {
            for (var binding : choice.bindings()) {
                assumed.assume(binding.bound());
            }
            for (var claim : choice.provisioned()) {
                assumed.assume(claim.toBuilder().selectedNode(nodeName).build());
            }
        } catch (AssumeException overtaken) {
            handle.metrics().volumeStageFailed("assume");
            restore(choice, List.of());
            throw overtaken;
        }
    }

    @Override
    public void unreserve(Cycle cycle, Pod pod, String nodeName) {
        var notes = cycle.find(PodVolumes.KEY);
        var choice = notes == null ? null : notes.choice();
        if (notes != null && choice != null) {
            restore(choice, notes.written());
            notes.choose(null);
        }
    }

    /// What was written stays assumed until it is seen.
    private void restore(PodVolumes.Choice choice, List<Written> written) {
        for (var binding : choice.bindings()) {
            if (!isWritten(written, Kind.PERSISTENT_VOLUME, binding.volume().key())) {
                assumed.restore(binding.volume());
            }
        }
        for (var claim : choice.provisioned()) {
            if (!isWritten(written, Kind.PERSISTENT_VOLUME_CLAIM, claim.key())) {
                assumed.restore(claim);
            }
        }
    }

    private static boolean isWritten(List<Written> written, Kind kind, String key) {
        return written.stream().anyMatch(each -> each.kind() == kind && each.key().equals(key));
    }

    // --- the pod is about to be bound

    @Override
    public boolean allowsParallel() {
        return true;
    }

    @Override
    public boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
        return cycle.read(PodVolumes.KEY).choice() != null;
    }

    @Override
    public boolean onlyWrites() {
        return true;
    }

    @Override
    public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
        var choice = cycle.read(PodVolumes.KEY).choice();
        if (choice == null) {
            throw new IllegalStateException("no pod volume found for node \"" + nodeName + "\"");
        }
        var written = new ArrayList<Written>();
        try {
            for (var binding : choice.bindings()) {
                keep(binding, written);
            }
            for (var claim : choice.provisioned()) {
                var version =
                        handle.writes()
                                .send(new Write.SelectNode(claim, nodeName))
                                .resourceVersion();
                written.add(new Written(Kind.PERSISTENT_VOLUME_CLAIM, claim.key(), version));
            }
        } catch (ClusterException refused) {
            return new PreBindVerdict.Wrote(written, String.valueOf(refused.getMessage()));
        }
        return new PreBindVerdict.Wrote(written, null);
    }

    /// Has the volume kept for the claim. Where the answer is lost, the volume itself tells whether
    /// that was done: then it stays assumed until it is seen, so that the next attempt does not
    /// take another one beside it.
    private void keep(PodVolumes.Binding binding, List<Written> written) {
        var volume = binding.volume();
        var write = new Write.ReserveVolume(volume, binding.claim(), binding.isNew());
        try {
            var version = handle.writes().send(write).resourceVersion();
            written.add(new Written(Kind.PERSISTENT_VOLUME, volume.key(), version));
        } catch (ClusterException lost) {
            var now = lost.kind() == ClusterException.Kind.TIMEOUT ? asItIs(volume) : null;
            if (now != null && isFor(now, binding.claim())) {
                written.add(
                        new Written(Kind.PERSISTENT_VOLUME, volume.key(), now.resourceVersion()));
            }
            throw lost;
        }
    }

    /// Null where the API server cannot say.
    private @Nullable PersistentVolume asItIs(PersistentVolume volume) {
        try {
            return handle.writes().read(Kind.PERSISTENT_VOLUME, "", volume.name())
                            instanceof PersistentVolume now
                    ? now
                    : null;
        } catch (ClusterException unclear) {
            return null;
        }
    }

    private static boolean isFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        var reference = volume.claim();
        return reference != null
                && !reference.uid().isEmpty()
                && Candidates.isKeptFor(volume, claim);
    }

    @Override
    public @Nullable Awaited wrote(
            Cycle cycle, Pod pod, String nodeName, PreBindVerdict.Wrote wrote) {
        var notes = cycle.read(PodVolumes.KEY);
        notes.wrote(wrote.written());
        wrote.written().forEach(assumed::settle);
        if (wrote.problem() != null) {
            handle.metrics().volumeStageFailed("bind");
        }
        var choice = notes.choice();
        return choice == null
                ? null
                : new BoundVolumes(
                        handle,
                        reachable,
                        arguments.bindTimeout(),
                        pod,
                        nodeName,
                        choice,
                        wrote.written());
    }
}
