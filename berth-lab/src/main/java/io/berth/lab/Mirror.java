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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
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
/// Of use to one thread at a time.
public final class Mirror implements KnownCluster, AutoCloseable {
    private final Twin twin;
    private final ClusterFeed feed;
    private final Map<Integer, Place> places = new HashMap<>();
    private final Map<String, Integer> slots = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<ObjectKey, ClusterObject> objects = new HashMap<>();
    private List<Pod> nominated;
    private final Map<String, Pod> withoutNode = new LinkedHashMap<>();
    private Mark mark;
    private long nodesVersion;
    private int podCount;

    private record ObjectKey(Kind kind, String key) {}

    private Mirror(Twin twin, Difference whole) {
        this.twin = twin;
        this.feed = twin.feed();
        whole.places().forEach(this::keep);
        whole.objects().forEach(happened -> keep(happened.entry(), happened.object()));
        this.nominated = whole.nominated();
        this.mark = whole.mark();
        this.podCount = whole.podCount();
    }

    /// @param whole all that the engine knows
    /// @throws io.berth.engine.framework.SettingsException where the profiles cannot work
    public static Mirror of(
            EngineSettings settings, Registry registry, TimeSource time, Difference whole) {
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
        return new Mirror(Twin.of(settings, registry, time, ClusterImage.of(all)), whole);
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
    /// @return false where the twin would visit nodes in another order than the engine, and has to
    ///   be made anew
    public boolean follow(Difference difference) {
        if (difference.isWhole()) {
            throw new IllegalArgumentException("a new mirror takes the whole");
        }
        return onTwin(twin -> {
            boolean isNominatedAnew = !same(nominated, difference.nominated());
            if (isNominatedAnew) {
                nominated.forEach(this::gone);
            }
            difference.places().forEach(this::leave);
            happened(difference.objects());
            difference.places().forEach(this::enter);
            if (isNominatedAnew) {
                difference.nominated().forEach(feed::seen);
                nominated = difference.nominated();
            }
            mark = difference.mark();
            podCount = difference.podCount();
            return difference.order().isEmpty() || difference.order().equals(twin.nodeOrder());
        });
    }

    /// Says which pods have no node, as far as somebody is about to ask for them. The twin needs to
    /// know none of them but those that are nominated.
    public void withoutNode(List<Pod> pods) {
        withoutNode.clear();
        pods.forEach(pod -> withoutNode.put(pod.key(), pod));
    }

    /// What went from a place since, or has to come after something that went.
    private void leave(Place now) {
        var before = places.get(now.slot());
        if (before == null) {
            return;
        }
        boolean isSame = before.name().equals(now.name());
        int common = isSame ? common(before.pods(), now.pods()) : 0;
        goneFrom(before.pods(), common);
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

    @SuppressWarnings("ReferenceEquality")
    private void keep(Place place) {
        if (place.name().isEmpty()) {
            return;
        }
        places.put(place.slot(), place);
        slots.put(place.name(), place.slot());
        var node = place.node();
        if (node != null && nodes.put(place.name(), node) != node) {
            nodesVersion++;
        }
    }

    private void goneFrom(List<Pod> pods, int first) {
        for (int i = pods.size() - 1; i >= first; i--) {
            gone(pods.get(i));
        }
    }

    private void gone(Pod pod) {
        feed.gone(Kind.POD, pod.namespace(), pod.name());
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
            return twin.ask(work).join();
        } catch (CompletionException broken) {
            throw broken.getCause() instanceof RuntimeException cause ? cause : broken;
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
