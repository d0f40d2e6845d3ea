package io.berth.sim.cluster;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one scheduler hears of one kind: a list, then changes in their order, each some time after
/// it happened. A stream can stall and break; after a break it lists anew and tells what differs,
/// as the Kubernetes edge does.
public final class WatchStream implements ApiServer.Listener {
    /// Who hears.
    public interface Receiver {
        void seen(ClusterObject object);

        void gone(Kind kind, String namespace, String name);

        void synced(Kind kind);

        /// Whether there is room for all that one change may have to say. Who finds none waits, and
        /// so does everything behind it.
        boolean hasRoom();
    }

    private final Kind kind;
    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final StreamFaults faults;
    private final Receiver receiver;
    private final Map<String, Stored> told = new HashMap<>();
    private boolean isListening;
    private boolean isClosed;
    private boolean hasSynced;
    private long lastDeliveryMillis;
    private int generation;
    private int underWay;

    /// What waits for room, in order.
    private final Deque<Runnable> held = new ArrayDeque<>();

    /// How badly streams behave.
    ///
    /// @param usualMillis the usual delay of a change
    /// @param rareMillis the delay it has now and then
    /// @param duplicates the probability that something is told twice
    public record StreamFaults(int usualMillis, int rareMillis, double duplicates) {}

    public WatchStream(
            Kind kind,
            ApiServer server,
            VirtualTime time,
            Chance chance,
            StreamFaults faults,
            Receiver receiver) {
        this.kind = kind;
        this.server = server;
        this.time = time;
        this.chance = chance;
        this.faults = faults;
        this.receiver = receiver;
        server.listen(this);
    }

    /// Lists and then listens.
    public void connect(long afterMillis) {
        plan(afterMillis, this::list);
    }

    /// Whether something happened that has not been told yet.
    public boolean isBehind() {
        return underWay > 0 || !held.isEmpty();
    }

    /// Nothing is told for a while; it comes later.
    public void stall(long millis) {
        lastDeliveryMillis = Math.max(lastDeliveryMillis, time.nowMillis() + millis);
    }

    /// The connection is lost: what is under way never arrives. After a while comes a new list.
    public void breakFor(long millis) {
        if (!isListening) {
            return;
        }
        isListening = false;
        generation++;
        underWay = 0;
        held.clear();
        lastDeliveryMillis = time.nowMillis();
        plan(millis, this::list);
    }

    public void close() {
        isClosed = true;
        server.unlisten(this);
    }

    @Override
    public void changed(@Nullable Stored before, @Nullable Stored after) {
        var either = after == null ? before : after;
        if (!isListening || either == null || either.kind() != kind) {
            return;
        }
        long delay = chance.delay(faults.usualMillis(), faults.rareMillis());
        plan(delay, () -> tell(either.key(), after));
    }

    private void plan(long delayMillis, Runnable body) {
        long at = Math.max(lastDeliveryMillis, time.nowMillis() + delayMillis);
        lastDeliveryMillis = at;
        underWay++;
        int planned = generation;
        time.in(
                at - time.nowMillis(),
                () -> {
                    if (planned == generation && !isClosed) {
                        underWay--;
                        deliver(body);
                    }
                });
    }

    private void deliver(Runnable body) {
        held.add(body);
        while (deliverHeld()) {
            // Until there is no more, or no more room.
        }
    }

    /// Delivers one thing that waits for room, if there is any.
    ///
    /// @return whether it did
    public boolean deliverHeld() {
        if (held.isEmpty() || isClosed || !receiver.hasRoom()) {
            return false;
        }
        held.removeFirst().run();
        return true;
    }

    private void list() {
        isListening = true;
        var listed = new HashSet<String>();
        var parts = new ArrayList<Runnable>();
        for (var stored : server.list(kind)) {
            if (stored.isWatched()) {
                listed.add(stored.key());
                parts.add(() -> seen(stored));
            }
        }
        for (var key : told.keySet().stream().sorted().toList()) {
            if (!listed.contains(key)) {
                parts.add(() -> gone(key));
            }
        }
        if (!hasSynced) {
            parts.add(this::synced);
        }
        // What happens meanwhile comes behind the list.
        parts.reversed().forEach(held::addFirst);
    }

    /// Only now: a list that is cut off while it waits for room was not told to its end.
    private void synced() {
        hasSynced = true;
        receiver.synced(kind);
    }

    private void tell(String key, @Nullable Stored after) {
        if (after == null) {
            gone(key);
        } else if (!after.isWatched() && !chance.happens(0.2)) {
            gone(key);
        } else if (!after.isWatched()) {
            // A server that does not filter.
            if (told.remove(key) != null) {
                receiver.seen(after.object());
            }
        } else {
            seen(after);
        }
    }

    private void seen(Stored stored) {
        var before = told.get(stored.key());
        if (before != null && before.revision() == stored.revision()) {
            return;
        }
        // A pod that was made anew may be told of as one change.
        if (before != null
                && !before.uid().equals(stored.uid())
                && (kind != Kind.POD || chance.happens(0.5))) {
            gone(stored.key());
        }
        told.put(stored.key(), stored);
        receiver.seen(stored.object());
        if (chance.happens(faults.duplicates())) {
            receiver.seen(stored.object());
        }
    }

    private void gone(String key) {
        var before = told.remove(key);
        if (before != null) {
            receiver.gone(kind, before.object().namespace(), before.object().name());
            if (chance.happens(faults.duplicates())) {
                receiver.gone(kind, before.object().namespace(), before.object().name());
            }
        }
    }

    /// What the receiver has been told exists.
    public List<ClusterObject> told() {
        var all = new ArrayList<ClusterObject>(told.size());
        told.values().forEach(stored -> all.add(stored.object()));
        return all;
    }

    /// The object of this key that the receiver has been told of; null where it knows none.
    public @Nullable ClusterObject told(String key) {
        var stored = told.get(key);
        return stored == null ? null : stored.object();
    }
}
