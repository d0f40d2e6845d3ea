package io.berth.lab;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.port.TimeSource;
import io.berth.engine.query.Difference;
import io.berth.engine.query.Difference.Happened;
import io.berth.engine.query.Difference.Mark;
import io.berth.engine.query.Difference.Place;
import io.berth.engine.query.EngineQueries;
import io.berth.engine.state.ObjectLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A twin that is told what has changed in its engine, whenever somebody is about to ask: nothing
/// has to be told while nobody asks, and whoever asks gets what the engine knew at that moment, the
/// pods that it has placed in thought included.
///
/// ```
///   engine ──what differs from the last mark──► mirror ──news──► twin ◄── questions
/// ```
///
/// **What is kept**: by slot of the engine's books, the node and its pods as the engine had them.
/// The lists are the engine's in their order; the objects are shared with it. A place that changed
/// is compared with what is kept, and the twin is told of those pods that come after the first
/// difference, so that it keeps them in the engine's order, too. Trials that were taken back may
/// have changed that order; whoever tries something puts it in order again.
///
/// Nodes that came since are told in the order of visits, so that a twin that keeps up visits them
/// as the engine does. It cannot where the engine keeps a place that a node would not get today:
/// one whose zone became known later.
///
/// Of use to one thread at a time.
public final class Mirror implements KnownCluster, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Twin twin;
    private final ClusterFeed feed;
    private final Map<Integer, Place> places = new HashMap<>();
    private final Map<String, Integer> slots = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<ObjectKey, ClusterObject> objects = new HashMap<>();
    private final Duration patience;
    private List<Pod> nominated;
    private volatile Map<String, Pod> withoutNode = Map.of();
    private Mark mark;

    /// As the engine would visit nodes now; empty where that is not known.
    private List<String> order;

    /// What the twin's order was compared at, and whether it is another one.
    private long comparedAt;

    private boolean isOutOfOrder;

    /// Whether a new one would be no better, as long as the engine has this order.
    private final boolean isHopeless;

    private final long hopelessOrder;
    private long nodesVersion;
    private int podCount;

    private record ObjectKey(Kind kind, String key) {}

    private Mirror(Twin twin, Difference whole, Duration patience) {
        this.twin = twin;
        this.patience = patience;
        this.feed = twin.feed();
        whole.places().forEach(this::keep);
        whole.objects().forEach(happened -> keep(happened.entry(), happened.object()));
        this.nominated = whole.nominated();
        this.mark = whole.mark();
        this.podCount = whole.podCount();
        this.order = whole.order();
        onTwin(asked -> compare(asked, true));
        this.isHopeless = isOutOfOrder;
        this.hopelessOrder = mark.order();
    }

    /// @param whole all that the engine knows
    /// @throws io.berth.engine.framework.SettingsException where the profiles cannot work
    public static Mirror of(
            EngineSettings settings, Registry registry, TimeSource time, Difference whole) {
        return of(settings, registry, time, whole, PATIENCE);
    }

    /// @param patience for how long an answer of the twin is waited for
    static Mirror of(
            EngineSettings settings,
            Registry registry,
            TimeSource time,
            Difference whole,
            Duration patience) {
        var all = new ArrayList<ClusterObject>();
        for (var happened : whole.objects()) {
            if (happened.object() != null) {
                all.add(happened.object());
            }
        }
        for (var place : whole.places()) {
            if (place.node() != null) {
                all.add(place.node());
            }
        }
        whole.places().forEach(place -> all.addAll(place.pods()));
        all.addAll(whole.nominated());
        var twin = Twin.of(settings, registry, time, ClusterImage.of(all));
        try {
            return new Mirror(twin, whole, patience);
        } catch (RuntimeException | Error broken) {
            twin.close();
            throw broken;
        }
    }

    /// The twin; whoever tells it something takes it back.
    public Twin twin() {
        return twin;
    }

    /// What was known last.
    public Mark mark() {
        return mark;
    }

    /// Brings the twin up to date.
    ///
    /// @param difference from [#mark]
    /// @return false where the twin would visit nodes in another order than the engine, and one
    ///   that is made anew may not
    /// @throws IllegalStateException where the twin does not answer; then it is of no use any more
    public boolean follow(Difference difference) {
        if (difference.isWhole()) {
            throw new IllegalArgumentException("a new mirror takes the whole");
        }
        return onTwin(twin -> {
            boolean isNominatedAnew = !same(nominated, difference.nominated());
            if (isNominatedAnew) {
                nominated.forEach(pod -> gone(twin, pod));
            }
            difference.places().forEach(place -> leave(twin, place));
            happened(difference.objects());
            inOrder(difference).forEach(this::enter);
            if (isNominatedAnew) {
                difference.nominated().forEach(feed::seen);
                nominated = difference.nominated();
            }
            boolean isOrderNew = difference.mark().order() != mark.order();
            if (isOrderNew) {
                order = difference.order();
            }
            mark = difference.mark();
            podCount = difference.podCount();
            compare(twin, isOrderNew);
            return !isOutOfOrder || isHopeless && mark.order() == hopelessOrder;
        });
    }

    /// New nodes in the order of visits, so that the twin gets them in the order of arrival; who
    /// changed last says nothing of that.
    private static List<Place> inOrder(Difference difference) {
        if (difference.order().isEmpty() || difference.places().size() < 2) {
            return difference.places();
        }
        var positions = new HashMap<String, Integer>();
        difference.order().forEach(name -> positions.put(name, positions.size()));
        return difference.places().stream()
                .sorted(
                        Comparator.comparingInt(
                                place -> positions.getOrDefault(place.name(), Integer.MAX_VALUE)))
                .toList();
    }

    /// Looks whether the twin visits nodes as the engine does, where either may have changed: what
    /// was tried may have brought nodes out of their order.
    private boolean compare(EngineQueries twin, boolean isOrderNew) {
        long now = twin.nodeOrderVersion();
        if (isOrderNew || now != comparedAt) {
            isOutOfOrder = !order.isEmpty() && !twin.isNodeOrder(order);
            comparedAt = now;
        }
        return isOutOfOrder;
    }

    /// Says which pods have no node, as far as somebody is about to ask for them. The twin needs to
    /// know none of them but those that are nominated.
    public void withoutNode(List<Pod> pods) {
        var byKey = new LinkedHashMap<String, Pod>();
        pods.forEach(pod -> byKey.put(pod.key(), pod));
        withoutNode = Collections.unmodifiableMap(byKey);
    }

    /// What went from a place since, or has to come after something that went.
    private void leave(EngineQueries twin, Place now) {
        var before = places.get(now.slot());
        if (before == null) {
            return;
        }
        boolean isSame = before.name().equals(now.name());
        int common = isSame ? common(before.pods(), now.pods()) : 0;
        goneFrom(twin, before.pods(), common);
        if (before.node() != null && (!isSame || now.node() == null)) {
            feed.gone(Kind.NODE, "", before.name());
            nodes.remove(before.name());
            nodesVersion++;
        }
        if (!isSame) {
            slots.remove(before.name());
            places.remove(now.slot());
        } else {
            places.put(
                    now.slot(),
                    new Place(
                            now.slot(),
                            now.name(),
                            now.node() == null ? null : before.node(),
                            before.pods().subList(0, common)));
        }
    }

    @SuppressWarnings("ReferenceEquality") // shared with the engine: the same object is unchanged
    private void enter(Place now) {
        var left = places.get(now.slot());
        var node = now.node();
        if (node != null && (left == null || left.node() != node)) {
            feed.seen(node);
        }
        int known = left == null ? 0 : left.pods().size();
        now.pods().subList(known, now.pods().size()).forEach(feed::seen);
        keep(now);
    }

    private void keep(Place place) {
        if (place.name().isEmpty()) {
            return;
        }
        places.put(place.slot(), place);
        slots.put(place.name(), place.slot());
        var node = place.node();
        if (node != null) {
            var before = nodes.put(place.name(), node);
            if (before == null || !isAlike(before, node)) {
                nodesVersion++;
            }
        }
    }

    /// As kinds of nodes are told apart; most of what nodes report is something else.
    private static boolean isAlike(Node one, Node other) {
        return one.labels().equals(other.labels())
                && one.taints().equals(other.taints())
                && one.allocatable().equals(other.allocatable())
                && one.unschedulable() == other.unschedulable();
    }

    private void goneFrom(EngineQueries twin, List<Pod> pods, int first) {
        for (int i = pods.size() - 1; i >= first; i--) {
            gone(twin, pods.get(i));
        }
    }

    /// Another pod of that name is not meant.
    private void gone(EngineQueries twin, Pod pod) {
        var known = twin.pod(pod.key());
        if (known.isEmpty() || known.get().uid().equals(pod.uid())) {
            feed.gone(Kind.POD, pod.namespace(), pod.name());
        }
    }

    /// An object that came and went several times is told as often as it went.
    private void happened(List<Happened> all) {
        var told = new HashSet<ObjectKey>();
        for (var happened : all) {
            var entry = happened.entry();
            var object = happened.object();
            if (entry.isGone()) {
                feed.gone(entry.kind(), entry.namespace(), entry.name());
                told.remove(key(entry));
            } else if (object != null && told.add(key(entry))) {
                feed.seen(object);
            }
            keep(entry, object);
        }
    }

    private void keep(ObjectLog.Entry entry, @Nullable ClusterObject object) {
        if (object == null) {
            objects.remove(key(entry));
        } else {
            objects.put(key(entry), object);
        }
    }

    private static ObjectKey key(ObjectLog.Entry entry) {
        return new ObjectKey(
                entry.kind(),
                entry.namespace().isEmpty()
                        ? entry.name()
                        : entry.namespace() + "/" + entry.name());
    }

    @SuppressWarnings("ReferenceEquality")
    private static int common(List<Pod> one, List<Pod> other) {
        int most = Math.min(one.size(), other.size());
        int common = 0;
        while (common < most && one.get(common) == other.get(common)) {
            common++;
        }
        return common;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean same(List<Pod> one, List<Pod> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            var pod = one.get(i);
            var now = other.get(i);
            if (pod != now && !pod.equals(now)) {
                return false;
            }
        }
        return true;
    }

    private <T> T onTwin(Function<EngineQueries, T> work) {
        try {
            return twin.ask(work).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            throw new IllegalStateException("no answer of the twin within " + patience, slow);
        } catch (ExecutionException broken) {
            throw broken.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(broken.getCause());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stop);
        }
    }

    @Override
    public Collection<Node> nodes() {
        return onTwin(EngineQueries::nodeOrder).stream().map(nodes::get).toList();
    }

    @Override
    public Map<String, Node> nodesByName() {
        return Collections.unmodifiableMap(nodes);
    }

    @Override
    public long nodesVersion() {
        return nodesVersion;
    }

    @Override
    public List<Pod> podsOn(String node) {
        var slot = slots.get(node);
        var place = slot == null ? null : places.get(slot);
        return place == null ? List.of() : place.pods();
    }

    @Override
    public Optional<Pod> pod(String key) {
        var known = onTwin(twin -> twin.pod(key));
        return known.filter(Pod::isAssigned)
                .or(() -> Optional.ofNullable(withoutNode.get(key)))
                .or(() -> known);
    }

    @Override
    public List<Pod> podsWithoutNode() {
        return onTwin(twin ->
                withoutNode.values().stream()
                        .filter(pod -> twin.pod(pod.key()).filter(Pod::isAssigned).isEmpty())
                        .toList());
    }

    @Override
    public void forEachPod(Consumer<Pod> consumer) {
        places.values().forEach(place -> place.pods().forEach(consumer));
        nominated.forEach(consumer);
        withoutNode.values().forEach(consumer);
    }

    @Override
    public int podCount() {
        return podCount;
    }

    @Override
    public Optional<ClusterObject> object(Kind kind, String key) {
        return Optional.ofNullable(objects.get(new ObjectKey(kind, key)));
    }

    @Override
    public void close() {
        twin.close();
    }
}
