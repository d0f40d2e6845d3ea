package io.berth.app.explain;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.query.Difference;
import io.berth.engine.query.Difference.Happened;
import io.berth.engine.query.Difference.Mark;
import io.berth.engine.query.Difference.Place;
import io.berth.engine.state.ObjectLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Looks at images, for whoever cannot say what has changed between two of them: an image serves
/// for a moment, and then all of the next one is new.
///
/// Of use to one thread at a time.
final class ImageLooks implements LiveLook.Engine {
    /// For how long an image serves where it costs its maker next to nothing, and where it costs
    /// much.
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final Duration STALE = Duration.ofSeconds(5);

    /// What is listed serves for so many times as long as an engine stopped for it: then questions,
    /// as many as there may be, cost less than one percent of its time.
    private static final int TIMES_THE_STOP = 150;

    private final Supplier<CompletableFuture<LiveState>> images;
    private @Nullable LiveLook last;
    private long number;

    ImageLooks(Supplier<CompletableFuture<LiveState>> images) {
        this.images = images;
    }

    /// @param stopped for how long an engine did nothing else than to list what it knows
    static Duration lifetime(Duration stopped) {
        var wanted = stopped.multipliedBy(TIMES_THE_STOP);
        return wanted.compareTo(FRESH) < 0 ? FRESH : wanted.compareTo(STALE) > 0 ? STALE : wanted;
    }

    @Override
    public CompletableFuture<LiveLook> look(@Nullable Mark since, String pod) {
        var known = last;
        if (since != null
                && known != null
                && since.equals(known.difference().mark())
                && System.nanoTime() - known.takenNanos() < lifetime(known.stopped()).toNanos()) {
            return CompletableFuture.completedFuture(unchanged(known));
        }
        return images.get().thenApply(this::whole);
    }

    /// An image is large.
    @Override
    public void rest() {
        last = null;
    }

    private static LiveLook unchanged(LiveLook known) {
        var whole = known.difference();
        return new LiveLook(
                new Difference(
                        whole.mark(),
                        false,
                        List.of(),
                        List.of(),
                        whole.nominated(),
                        List.of(),
                        whole.podCount()),
                known.pods(),
                known.queue(),
                known.hasPromises(),
                known.takenNanos(),
                known.stopped());
    }

    private LiveLook whole(LiveState state) {
        var image = state.image();
        var placed = new LinkedHashMap<String, List<Pod>>();
        var others = new ArrayList<Pod>();
        var nominated = new ArrayList<Pod>();
        for (var pod : image.pods()) {
            if (pod.isAssigned() && !pod.isTerminal()) {
                placed.computeIfAbsent(pod.nodeName(), _ -> new ArrayList<>()).add(pod);
            } else {
                others.add(pod);
                if (!pod.isTerminal() && !pod.nominatedNodeName().isEmpty()) {
                    nominated.add(pod);
                }
            }
        }
        var look =
                new LiveLook(
                        new Difference(
                                new Mark(this, ++number, 0, 0),
                                true,
                                places(image, placed),
                                objects(image),
                                nominated,
                                List.of(),
                                image.pods().size()),
                        others,
                        state.queue(),
                        false,
                        state.takenNanos(),
                        state.stopped());
        last = look;
        return look;
    }

    private static List<Place> places(ClusterImage image, Map<String, List<Pod>> placed) {
        var left = new HashMap<>(placed);
        var places = new ArrayList<Place>();
        for (var node : image.nodes()) {
            places.add(place(places.size(), node.name(), node, left.remove(node.name())));
        }
        placed.forEach((name, pods) -> {
            if (left.containsKey(name)) {
                places.add(place(places.size(), name, null, pods));
            }
        });
        return places;
    }

    private static Place place(
            int slot, String name, @Nullable Node node, @Nullable List<Pod> pods) {
        return new Place(slot, name, node, pods == null ? List.of() : pods);
    }

    private static List<Happened> objects(ClusterImage image) {
        return image.kinds().stream()
                .filter(kind -> !kind.equals(Kind.POD) && !kind.equals(Kind.NODE))
                .flatMap(kind -> image.of(kind).stream())
                .map(ImageLooks::came)
                .toList();
    }

    private static Happened came(ClusterObject object) {
        return new Happened(
                new ObjectLog.Entry(object.kind(), object.namespace(), object.name(), false),
                object);
    }
}
