package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.event.Registration.HintFunction;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.queue.QueueBed.Listener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Lives of a queue: random pods, events, failures and hours, step by step the same as in the slow
/// queue, which is written from the contract.
@Tag("E-39")
@Tag("E-45")
@Tag("E-47")
@Tag("E-55")
@Tag("E-56")
@Tag("E-182")
class QueueHistoryTest {
    private static final int STEPS = 1500;
    private static final String[] REJECTORS = {"Fit", "Labels", "Volumes", "Own", "Deaf"};
    private static final ClusterEvent[] EVENTS = {
        ClusterEvent.of(ClusterEvent.NODE, Action.ADD),
        ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL),
        ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT),
        ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_CONDITION),
        ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.ADD),
        ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.UPDATE),
        ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE)
    };

    private final Map<String, List<Registration>> registered = new LinkedHashMap<>();
    private final Gate gate = new Gate("Gate", on(ClusterEvent.NODE, Action.ADD));
    private final Gate late = new Gate("Late", on(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT));
    private final Map<String, Pod> newest = new LinkedHashMap<>();
    private final Map<String, QueuedPodInfo> flying = new HashMap<>();
    private int created;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void queueBehavesAsTheContractSays(long seed) {
        var random = new Random(seed);
        var fit =
                Listener.of(
                        "Fit",
                        Registration.of(ClusterEvent.NODE, Action.ADD, oneIn(3)),
                        Registration.of(ClusterEvent.POD, Action.DELETE, oneIn(2)));
        var labels =
                Listener.of(
                        "Labels",
                        Registration.of(
                                ClusterEvent.NODE,
                                Action.ADD | Action.UPDATE_NODE_LABEL,
                                oneIn(4)));
        var volumes =
                Listener.of(
                        "Volumes",
                        Registration.of(
                                ClusterEvent.PERSISTENT_VOLUME_CLAIM,
                                Action.ADD | Action.UPDATE,
                                oneIn(2)));
        var own = Listener.of("Own", on(ClusterEvent.POD, Action.UPDATE_POD_LABEL));
        var deaf = Listener.of("Deaf");
        for (var listener : List.of(fit, labels, volumes, own, deaf)) {
            registered.put(listener.name(), withTaints(listener.events()));
        }
        registered.put("Gate", withTaints(gate.events()));
        registered.put("Late", withTaints(late.events()));
        var bed = new QueueBed(gate, late, fit, labels, volumes, own, deaf);
        var model = new SlowQueue(bed.clock, registered, List.of(gate, late));

        for (int step = 0; step < STEPS; step++) {
            String did = step(random, bed, model);
            check(bed, model, "seed " + seed + ", step " + step + ": " + did);
        }
        // Everybody is tried in the end: nothing was lost.
        for (String uid : List.copyOf(flying.keySet())) {
            finish(bed, model, uid);
        }
        gate.closedFor.clear();
        late.closedFor.clear();
        bed.advance(400_000);
        bed.queue.flushBackoffCompleted();
        bed.queue.flushLeftovers();
        int waiting = bed.queue.pending().size();
        assertThat(bed.popAll()).hasSize(waiting);
        assertThat(bed.queue.inFlightEventCount()).isZero();
        assertThat(bed.metrics.inFlight).isEmpty();
        assertThat(bed.metrics.refused).isEmpty();
        assertThat(bed.log.errors()).isEmpty();
    }

    /// A hint function that depends on all it is given, and on nothing else.
    private static HintFunction oneIn(int n) {
        return (waiting, before, after) ->
                Math.floorMod(
                                        Objects.hash(
                                                waiting.name(),
                                                before == null ? "" : before.name(),
                                                after == null ? "" : after.name()),
                                        n)
                                == 0
                        ? Hint.QUEUE
                        : Hint.SKIP;
    }

    private static List<Registration> withTaints(List<Registration> given) {
        var all = new ArrayList<>(given);
        boolean addition =
                given.stream()
                        .anyMatch(registration ->
                                registration.event().resource().equals("Node")
                                        && (registration.event().actions() & Action.ADD) != 0);
        if (addition) {
            all.add(on(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT));
        }
        return all;
    }

    private String step(Random random, QueueBed bed, SlowQueue model) {
        int choice = random.nextInt(100);
        if (choice < 12) {
            var pod = QueueBed.pod("p" + created++, random.nextInt(3));
            toggleGates(random, pod);
            newest.put(pod.uid(), pod);
            bed.add(pod);
            model.add(pod);
            return "add " + pod;
        }
        if (choice < 32) {
            String expected = model.pop();
            var popped = bed.queue.pop();
            assertThat(popped == null ? null : popped.pod().uid()).isEqualTo(expected);
            if (popped != null) {
                flying.put(popped.pod().uid(), popped);
            }
            return "pop " + expected;
        }
        if (choice < 50 && !flying.isEmpty()) {
            String uid = pick(random, flying.keySet());
            return random.nextInt(6) == 0 ? finish(bed, model, uid) : fail(random, bed, model, uid);
        }
        if (choice < 65) {
            var event = EVENTS[random.nextInt(EVENTS.length)];
            var object = Node.builder("n" + random.nextInt(50)).build();
            int limit = random.nextInt(4);
            boolean forAll = limit == 3;
            bed.queue.moveAll(event, null, object, pod -> pod.spec().priority() <= limit);
            model.moveAll(event, null, object, pod -> pod.spec().priority() <= limit, forAll);
            return "event " + event.label();
        }
        if (choice < 72 && !newest.isEmpty()) {
            return update(random, bed, model, pick(random, newest.keySet()));
        }
        if (choice < 75 && !newest.isEmpty()) {
            var pod = Objects.requireNonNull(newest.get(pick(random, newest.keySet())));
            if (flying.containsKey(pod.uid())) {
                return "nothing";
            }
            newest.remove(pod.uid());
            bed.known.remove(pod.key());
            bed.queue.delete(pod);
            model.delete(pod);
            return "delete " + pod;
        }
        if (choice < 79 && !newest.isEmpty()) {
            var pod = Objects.requireNonNull(newest.get(pick(random, newest.keySet())));
            bed.queue.activate(List.of(pod));
            model.activate(pod);
            return "activate " + pod;
        }
        if (choice < 84 && !newest.isEmpty()) {
            var pod = Objects.requireNonNull(newest.get(pick(random, newest.keySet())));
            toggleGates(random, pod);
            return "gates of " + pod;
        }
        long deadline = bed.queue.nextDeadlineMillis();
        bed.advance(random.nextInt(20) == 0 ? random.nextInt(200_000) : random.nextInt(900));
        var before = model.subQueues();
        bed.queue.flushBackoffCompleted();
        bed.queue.flushLeftovers();
        model.flush();
        if (bed.clock.nowMillis() < deadline) {
            assertThat(model.subQueues())
                    .as("nothing was due before the deadline")
                    .isEqualTo(before);
        }
        return "time " + bed.clock.nowMillis();
    }

    private void toggleGates(Random random, Pod pod) {
        for (var each : List.of(gate, late)) {
            if (random.nextInt(4) == 0) {
                each.closedFor.add(pod.name());
            } else {
                each.closedFor.remove(pod.name());
            }
        }
    }

    private String finish(QueueBed bed, SlowQueue model, String uid) {
        var info = Objects.requireNonNull(flying.remove(uid));
        newest.remove(uid);
        bed.known.remove(info.key());
        bed.queue.done(uid);
        model.done(uid);
        return "done " + uid;
    }

    private String fail(Random random, QueueBed bed, SlowQueue model, String uid) {
        var info = Objects.requireNonNull(flying.remove(uid));
        var pod = Objects.requireNonNull(newest.get(uid));
        var unschedulable = some(random);
        var pending = random.nextInt(4) == 0 ? some(random) : Set.<String>of();
        info.replacePod(pod);
        bed.failPending(info, List.copyOf(unschedulable), List.copyOf(pending));
        model.fail(uid, pod, unschedulable, pending);
        return "fail " + uid + " by " + unschedulable + " and " + pending;
    }

    private static Set<String> some(Random random) {
        var some = new HashSet<String>();
        for (int i = random.nextInt(3); i > 0; i--) {
            some.add(REJECTORS[random.nextInt(REJECTORS.length)]);
        }
        return some;
    }

    private String update(Random random, QueueBed bed, SlowQueue model, String uid) {
        var before = Objects.requireNonNull(newest.get(uid));
        var change = before.toBuilder();
        if (random.nextBoolean()) {
            change.labels(Labels.of("v", "" + random.nextInt(3)));
        }
        if (random.nextInt(4) == 0) {
            change.spec(before.spec().toBuilder().priority(random.nextInt(3)).build());
        }
        var after = change.build();
        newest.put(uid, after);
        bed.update(before, after);
        model.update(before, after);
        return "update " + uid;
    }

    private static String pick(Random random, Set<String> from) {
        return from.stream().sorted().skip(random.nextInt(from.size())).findFirst().orElseThrow();
    }

    private static void check(QueueBed bed, SlowQueue model, String context) {
        var subQueues = new HashMap<String, SubQueue>();
        bed.queue.forEachPending(info -> {
            String uid = info.pod().uid();
            if (subQueues.put(uid, info.subQueue()) != null
                    || bed.queue.find(info.key()) != info
                    || !info.gatingPlugin().equals(model.entry(uid).gating)) {
                throw new AssertionError("confused about " + info + ", " + context);
            }
        });
        assertThat(subQueues).as(context).isEqualTo(model.subQueues());
        assertThat(Set.copyOf(bed.queue.inFlightUids()))
                .as(context)
                .isEqualTo(
                        model.inFlight().stream()
                                .map(entry -> entry.pod.uid())
                                .collect(Collectors.toSet()));
        assertThat(bed.queue.inFlightEventCount()).as(context).isEqualTo(model.neededEvents());
        assertThat(model.forgotten()).as(context).isEmpty();
        var counts = bed.queue.counts();
        assertThat(counts.active() + counts.backoff() + counts.unschedulable() + counts.gated())
                .as(context)
                .isEqualTo(subQueues.size());
    }
}
