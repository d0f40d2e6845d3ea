package io.berth.plugins.dynamicresources;

import io.berth.api.column.NodeColumns;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Recorder;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.plugin.Awaited;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.Refusals;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.ReserveVerdict;
import io.berth.plugins.device.AllocationException;
import io.berth.plugins.device.Allocator;
import io.berth.plugins.device.DeviceBook;
import io.berth.plugins.device.DeviceFeatures;
import io.berth.plugins.device.ExtendedClasses;
import io.berth.plugins.device.KeptAnswers;
import io.berth.plugins.device.Patience;
import io.berth.plugins.device.Shapes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Finds devices for the resource claims of a pod, and brings the pod to a node where they can be
/// used.
///
/// ```
///  engine thread                                             binding thread
///  preFilter: the claims ─► filter: are there devices? ─► reserve: take them ─► preBind: write the claims
///  unreserve: give back what was not written ◄── failed ◄─────────────────────────┤
///  look until the drivers have the devices ready ◄────────────────────────────────┘ ─► bind
/// ```
public final class DynamicResources
        implements PreEnqueue,
                PreFilter,
                ClusterFilter,
                PostFilter,
                ClusterScore,
                Normalize,
                Reserve,
                PreBind,
                Events,
                Relaxable {
    public static final String NAME = "DynamicResources";

    /// The feature gate that it stands behind.
    public static final String GATE = "DynamicResourceAllocation";

    private final DynamicResourcesArguments arguments;
    private final long filterTimeoutNanos;
    private final Handle handle;
    private final DeviceFeatures features;
    private final DeviceBook book;
    private final Allocator allocator;
    private final Shapes shapes;
    private final ClaimCheck check;
    private final ClaimHints hints;
    private final Releases releases;
    private final @Nullable ExtendedNeeds extendedNeeds;

    public DynamicResources(DynamicResourcesArguments arguments, Handle handle) {
        this.arguments = arguments;
        this.filterTimeoutNanos =
                handle.isFeatureOn("DRASchedulerFilterTimeout")
                        ? arguments.filterTimeout().toNanos()
                        : 0;
        this.handle = handle;
        this.features = DeviceFeatures.of(handle::isFeatureOn);
        this.book = DeviceBook.of(handle);
        this.allocator = handle.shared(Allocator.class, () -> Allocator.of(features, book));
        this.shapes = handle.shared(Shapes.class, () -> new Shapes(book, allocator));
        this.check = new ClaimCheck(book, features.prioritizedList());
        this.hints = new ClaimHints(book::claim);
        this.releases = new Releases(handle);
        var classes = ExtendedClasses.of(handle);
        this.extendedNeeds = classes == null ? null : new ExtendedNeeds(classes, book, shapes);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Registration> events() {
        var result = new ArrayList<Registration>();
        if (book.ruleKind() != null) {
            result.add(
                    Registration.of(book.ruleKind(), Action.ADD | Action.UPDATE | Action.DELETE));
        }
        result.addAll(
                List.of(
                        Registration.of(
                                ClusterEvent.NODE,
                                Action.ADD
                                        | Action.UPDATE_NODE_LABEL
                                        | Action.UPDATE_NODE_ALLOCATABLE),
                        Registration.of(
                                ClusterEvent.POD,
                                Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM,
                                hints::afterPod),
                        Registration.of(
                                ClusterEvent.RESOURCE_CLAIM,
                                Action.ADD | Action.UPDATE | Action.DELETE,
                                hints::afterClaim),
                        Registration.of(ClusterEvent.DEVICE_CLASS, Action.ADD | Action.UPDATE),
                        Registration.of(ClusterEvent.RESOURCE_SLICE, Action.ADD | Action.UPDATE)));
        return result;
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        var lesser = new LesserClaims(book, shapes, handle.columns(), this::patience);
        return switch (PodClaims.of(pod, book::claim)) {
            case PodClaims.Missing _ -> List.of();
            case PodClaims.Found(var claims) ->
                    new ClaimRelaxations(handle, lesser, obstacles).of(pod, claims);
        };
    }

    /// Who has which devices, for whoever checks it.
    public DeviceBook book() {
        return book;
    }

    // --- before the nodes

    @Override
    public Optional<Refusal> preEnqueue(Pod pod) {
        return switch (PodClaims.of(pod, book::claim)) {
            case PodClaims.Missing(var text) -> Optional.of(Refusal.hopeless(text));
            case PodClaims.Found _ -> Optional.empty();
        };
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        cycle.put(PodDevices.KEY, PodDevices.none());
        return switch (PodClaims.of(pod, book::claim)) {
            case PodClaims.Missing(var text) -> Refusal.hopeless(text);
            case PodClaims.Found(var claims) -> preFilter(cycle, pod, claims);
        };
    }

    private PreFilterVerdict preFilter(Cycle cycle, Pod pod, List<ResourceClaim> own) {
        var extended = extendedNeeds == null ? null : extendedNeeds.claimOf(pod);
        if (own.isEmpty() && extended == null) {
            return PreFilterVerdict.SKIP;
        }
        String problem = check.problem(own);
        if (problem != null) {
            return Refusal.hopeless(problem);
        }
        var open = own.stream().filter(claim -> claim.allocation() == null).toList();
        var all = new ArrayList<>(own);
        Function<Node, OnNode> needs;
        if (extendedNeeds == null || extended == null) {
            OnNode wanted =
                    open.isEmpty()
                            ? OnNode.Wanted.NOTHING
                            : new OnNode.Wanted(open, shapes.of(open), List.of());
            needs = _ -> wanted;
        } else {
            all.add(extended);
            needs = extendedNeeds.of(pod, extended, open);
        }
        cycle.put(PodDevices.KEY, new PodDevices(all, extended != null, needs, lost(all)));
        return PreFilterVerdict.PASS;
    }

    /// Which claims have devices that will never be ready (DR-12).
    private BitSet lost(List<ResourceClaim> claims) {
        var lost = new BitSet();
        if (features.bindingConditions()) {
            var now = Instant.ofEpochMilli(handle.nowMillis());
            for (int i = 0; i < claims.size(); i++) {
                var claim = claims.get(i);
                lost.set(
                        i,
                        switch (Readiness.of(claim)) {
                            case Readiness.Ready _ -> false;
                            case Readiness.Failed _ -> true;
                            case Readiness.Waiting _ ->
                                    Readiness.isLate(claim, now, arguments.bindingTimeout());
                        });
            }
        }
        return lost;
    }

    // --- per node

    @Override
    public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
        var notes = cycle.read(PodDevices.KEY);
        return notes.isEmpty()
                ? SlotJudge.PASS_ALL
                : new ClaimJudge(
                        columns,
                        book,
                        notes.claims(),
                        notes.needs(),
                        this::patience,
                        notes.lost(),
                        notes.inTheWay(),
                        new LesserClaims(book, shapes, columns, this::patience));
    }

    /// One search may take as long as `filterTimeout` says (DR-13).
    private Patience patience() {
        return filterTimeoutNanos == 0
                ? Patience.ENDLESS
                : new Patience() {
                    private long endNanos;
                    private boolean hasBegun;

                    @Override
                    public boolean isOver() {
                        long now = handle.outside((LongSupplier) System::nanoTime);
                        if (!hasBegun) {
                            hasBegun = true;
                            endNanos = now + filterTimeoutNanos;
                        }
                        return now - endNanos >= 0;
                    }
                };
    }

    /// A pod without alternatives likes all nodes alike.
    @Override
    public boolean isZero(Cycle cycle, Pod pod) {
        var notes = cycle.find(PodDevices.KEY);
        return notes == null
                || !features.prioritizedList()
                || notes.claims().stream()
                        .allMatch(claim ->
                                claim.spec().requests().stream()
                                        .allMatch(request -> request.exactly() != null));
    }

    /// The earlier in their lists the alternatives stand that a node would satisfy, the better
    /// (DR-16).
    @Override
    public SlotScore scorer(Cycle cycle, Pod pod, NodeColumns columns) {
        if (isZero(cycle, pod)) {
            return slot -> 0;
        }
        var notes = cycle.read(PodDevices.KEY);
        long inAnyCase = 0;
        for (var claim : notes.claims()) {
            if (claim.allocation() != null) {
                inAnyCase += KeptAnswers.score(List.of(claim), List.of(claim.allocation()));
            }
        }
        long known = inAnyCase;
        return slot -> {
            var node = columns.node(slot).node();
            return notes.on(node) instanceof OnNode.Wanted wanted && wanted.answers() != null
                    ? known + wanted.answers().score(book.slotOf(slot, node))
                    : 0;
        };
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        Normalize.proportionally(scores, false);
    }

    // --- no node

    /// Where an earlier plugin refused the pod outright, upstream has no state for it and fails;
    /// users know the resulting text (E-109).
    @Override
    public PostFilterVerdict postFilter(Cycle cycle, Pod pod, Refusals refusals) {
        var notes = cycle.find(PodDevices.KEY);
        if (notes == null) {
            return new PostFilterVerdict.Nothing(
                    List.of("not found"), PostFilterVerdict.Nomination.KEEP, true);
        }
        return PostFilterVerdict.Nothing.keeping(makeRoom(pod, notes));
    }

    private String makeRoom(Pod pod, PodDevices notes) {
        if (notes.isEmpty()) {
            return "no new claims to deallocate";
        }
        var own = notes.ownClaims();
        var inTheWay = (BitSet) notes.inTheWay().clone();
        inTheWay.clear(own.size(), notes.claims().size() + 1);
        var claim = Deallocation.choose(pod, own, inTheWay, handle.random());
        if (claim != null) {
            releases.deallocate(pod, claim);
            return "deallocation of ResourceClaim completed";
        }
        var extended = notes.extended();
        if (extended != null && !ExtendedNeeds.isThought(extended)) {
            releases.delete(pod, extended);
            return "deletion of ResourceClaim completed";
        }
        return "still not schedulable";
    }

    // --- the node is chosen

    @Override
    public ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName) {
        var notes = cycle.read(PodDevices.KEY);
        notes.choose(null);
        var view = handle.nodes().byName(nodeName);
        if (notes.isEmpty() || view == null) {
            return ReserveVerdict.PASS;
        }
        var now = Instant.ofEpochMilli(handle.nowMillis());
        var taken = new ArrayList<PodDevices.Taken>();
        if (!(notes.on(view.node()) instanceof OnNode.Wanted wanted)) {
            throw new IllegalStateException("claim allocation not found for node");
        }
        var claims = wanted.claims();
        if (!claims.isEmpty()) {
            var found = allocate(view.node(), claims);
            for (int i = 0; i < claims.size(); i++) {
                book.take(claims.get(i), found.get(i));
                taken.add(new PodDevices.Taken(claims.get(i), found.get(i)));
            }
        }
        notes.choose(new PodDevices.Choice(taken, wanted.mappings(), now));
        return ReserveVerdict.PASS;
    }

    private List<DeviceAllocation> allocate(Node node, List<ResourceClaim> claims) {
        try {
            var found = allocator.allocate(node, claims, this::newShareId, patience());
            if (found == null) {
                throw new IllegalStateException("claim allocation not found for node");
            }
            return found;
        } catch (AllocationException failed) {
            throw ClaimJudge.failure(failed, node);
        }
    }

    /// As random as the scheduler's own chance, so that decisions can be repeated.
    private String newShareId() {
        var random = handle.random();
        long high = random.nextLong() & ~0xF000L | 0x4000L;
        long low = random.nextLong() & ~(3L << 62) | 1L << 63;
        return new UUID(high, low).toString();
    }

    @Override
    public void unreserve(Cycle cycle, Pod pod, String nodeName) {
        var notes = cycle.find(PodDevices.KEY);
        if (notes == null || notes.isEmpty()) {
            return;
        }
        var choice = notes.choice();
        if (choice != null) {
            choice.taken().forEach(taken -> book.giveBack(taken.claim()));
        }
        var extended = notes.extended();
        if (extended != null) {
            book.giveBack(extended);
        }
        notes.choose(null);
        if (notes.release()) {
            releases.release(pod, notes);
        }
    }

    // --- the pod is about to be bound

    @Override
    public boolean allowsParallel() {
        return true;
    }

    @Override
    public boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
        return !cycle.read(PodDevices.KEY).isEmpty();
    }

    @Override
    public boolean onlyWrites() {
        return true;
    }

    @Override
    public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
        var notes = cycle.read(PodDevices.KEY);
        return new ClaimBinding(handle, releases, features.bindingConditions(), pod, notes.choice())
                .run(notes.claims());
    }

    @Override
    public @Nullable Awaited wrote(
            Cycle cycle, Pod pod, String nodeName, PreBindVerdict.Wrote wrote) {
        var notes = cycle.read(PodDevices.KEY);
        for (var each : wrote.written()) {
            if (each.object() instanceof ResourceClaim claim) {
                wrote(notes, claim);
            }
        }
        var claims = notes.claims();
        if (wrote.problem() != null
                || !features.bindingConditions()
                || !ReadyDevices.areAwaited(claims)) {
            return null;
        }
        handle.recorder()
                .record(
                        new Recorder.Event(
                                pod,
                                Recorder.Type.NORMAL,
                                "BindingConditionsPending",
                                "Scheduling",
                                "waiting for binding conditions for device on node " + nodeName,
                                handle.profileName()));
        var ready = new ReadyDevices(handle, book, arguments.bindingTimeout(), claims);
        return ready.hasHappened() ? null : ready;
    }

    private void wrote(PodDevices notes, ResourceClaim claim) {
        int index = notes.indexOf(claim);
        if (index < 0) {
            return;
        }
        var before = notes.claims().get(index);
        if (ExtendedNeeds.isThought(before)) {
            book.made(before, claim);
        } else {
            book.wrote(claim);
        }
        notes.wrote(index, claim);
    }
}
