package io.berth.engine.queue;

import io.berth.api.event.ClusterEvent;
import io.berth.api.model.Pod;
import io.berth.api.plugin.QueueSort;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A pending pod and the story of its attempts. Owned by the engine thread; it stays the same
/// object from the pod's arrival in the queue until it is placed or gone.
///
/// ```
///            add                pop                    placed, gone
///   (new) ───────► in the queue ────► in flight ──────────────────────► done
///                       ▲                 │
///                       └─────────────────┘ returned after a failed attempt
/// ```
public final class QueuedPodInfo implements QueueSort.QueuedPod {
    private static final long UNSET = Long.MIN_VALUE;

    private final String key;
    private Pod pod;
    private long timestampMillis;
    private long turn;
    private int attempts;
    private long initialAttemptMillis = UNSET;
    private int unschedulableCount;
    private int consecutiveErrors;
    private final Set<String> unschedulablePlugins = new LinkedHashSet<>();
    private final Set<String> pendingPlugins = new LinkedHashSet<>();
    private String gatingPlugin = "";
    private List<ClusterEvent> gatingEvents = List.of();
    private boolean flushed;
    private long flushedAtMillis = UNSET;
    private long schedulingCycle;

    // What the parts of the queue note down; a pod is in at most one part.
    SubQueue subQueue = SubQueue.OUT;
    int heapIndex = -1;
    long backoffExpirationMillis = UNSET;
    Parked.@Nullable Group group;
    @Nullable QueuedPodInfo previousParked;
    @Nullable QueuedPodInfo nextParked;
    long parkedSequence;

    QueuedPodInfo(Pod pod, long nowMillis, long turn) {
        this.key = pod.key();
        this.pod = pod;
        this.timestampMillis = nowMillis;
        this.turn = turn;
    }

    @Override
    public Pod pod() {
        return pod;
    }

    /// `namespace/name`.
    public String key() {
        return key;
    }

    public String profile() {
        return pod.spec().schedulerName();
    }

    /// When the pod came, or last came back from a failed attempt. Moves inside the queue leave it.
    /// All pods of the first list came when its first one did.
    @Override
    public long timestampMillis() {
        return timestampMillis;
    }

    /// Tells apart pods of one millisecond, see [Arrivals].
    long turn() {
        return turn;
    }

    /// How often the pod was popped.
    @Override
    public int attempts() {
        return attempts;
    }

    /// When the pod first became active; empty while it never did.
    public OptionalLong initialAttemptMillis() {
        return initialAttemptMillis == UNSET
                ? OptionalLong.empty()
                : OptionalLong.of(initialAttemptMillis);
    }

    /// How often the pod came back refused by a plugin.
    public int unschedulableCount() {
        return unschedulableCount;
    }

    /// How often in a row the pod came back without a plugin's refusal: something broke.
    public int consecutiveErrors() {
        return consecutiveErrors;
    }

    /// Which plugins refused the pod in the last attempt, or refuse to let it in.
    public Set<String> unschedulablePlugins() {
        return Collections.unmodifiableSet(unschedulablePlugins);
    }

    /// Which plugins asked the pod to wait for something they have set in motion.
    public Set<String> pendingPlugins() {
        return Collections.unmodifiableSet(pendingPlugins);
    }

    /// The PreEnqueue plugin that keeps the pod out; empty where none does.
    public String gatingPlugin() {
        return gatingPlugin;
    }

    public boolean isGated() {
        return !gatingPlugin.isEmpty();
    }

    /// Whether the last move was made only because the pod had waited for too long.
    public boolean wasFlushed() {
        return flushed;
    }

    /// When the pod was last moved because it had waited for too long.
    public OptionalLong flushedAtMillis() {
        return flushedAtMillis == UNSET ? OptionalLong.empty() : OptionalLong.of(flushedAtMillis);
    }

    /// When the pod's backoff ends; empty where it was not worked out since the last failure.
    public OptionalLong backoffExpirationMillis() {
        return backoffExpirationMillis == UNSET
                ? OptionalLong.empty()
                : OptionalLong.of(backoffExpirationMillis);
    }

    /// The number of the attempt, counted over all pods, that the last pop began.
    public long schedulingCycle() {
        return schedulingCycle;
    }

    public SubQueue subQueue() {
        return subQueue;
    }

    /// Takes over the newest form of the pod; only for a pod in flight, before it is returned.
    public void replacePod(Pod newer) {
        requireOut();
        update(newer);
    }

    /// Forgets who refused the pod: the start of handling a failure.
    public void clearRejectors() {
        requireOut();
        unschedulablePlugins.clear();
        pendingPlugins.clear();
    }

    /// Notes who refused the pod in this attempt, before it is returned.
    public void rejectedBy(Collection<String> unschedulable, Collection<String> pending) {
        requireOut();
        unschedulablePlugins.addAll(unschedulable);
        pendingPlugins.addAll(pending);
    }

    private void requireOut() {
        if (subQueue != SubQueue.OUT) {
            throw new IllegalStateException(
                    "pod " + key + " is in the " + subQueue + " part of the queue, not in flight");
        }
    }

    boolean hasRejectors() {
        return !unschedulablePlugins.isEmpty() || !pendingPlugins.isEmpty();
    }

    boolean hasPendingPlugins() {
        return !pendingPlugins.isEmpty();
    }

    boolean isRejectedBy(String plugin) {
        return unschedulablePlugins.contains(plugin) || pendingPlugins.contains(plugin);
    }

    boolean isPendingFor(String plugin) {
        return pendingPlugins.contains(plugin);
    }

    void forEachRejector(java.util.function.Consumer<String> consumer) {
        unschedulablePlugins.forEach(consumer);
        for (String plugin : pendingPlugins) {
            if (!unschedulablePlugins.contains(plugin)) {
                consumer.accept(plugin);
            }
        }
    }

    List<ClusterEvent> gatingEvents() {
        return gatingEvents;
    }

    void gatedBy(String plugin, List<ClusterEvent> events) {
        unschedulablePlugins.add(plugin);
        gatingPlugin = plugin;
        gatingEvents = events;
        staysGated();
    }

    /// The plugin that gates the pod does so again.
    void staysGated() {
        // The flag tells of the attempt that follows a flush; a gated pod gets none.
        flushed = false;
    }

    void ungated() {
        gatingPlugin = "";
        gatingEvents = List.of();
    }

    void update(Pod newer) {
        pod = newer;
    }

    void popped() {
        attempts++;
    }

    void startCycle(long cycle) {
        schedulingCycle = cycle;
    }

    void becameActive(long nowMillis) {
        if (initialAttemptMillis == UNSET) {
            initialAttemptMillis = nowMillis;
        }
    }

    void failed(long nowMillis, long newTurn) {
        if (hasRejectors()) {
            unschedulableCount++;
            consecutiveErrors = 0;
        } else {
            consecutiveErrors++;
        }
        timestampMillis = nowMillis;
        turn = newTurn;
        backoffExpirationMillis = UNSET;
        flushed = false;
        flushedAtMillis = UNSET;
    }

    void flush(long nowMillis) {
        flushed = true;
        flushedAtMillis = nowMillis;
    }

    /// Since when the pod waits without a timely flush.
    long waitingSinceMillis() {
        return Math.max(timestampMillis, flushedAtMillis);
    }

    boolean hasBackoffExpiration() {
        return backoffExpirationMillis != UNSET;
    }

    @Override
    public String toString() {
        return key + " (" + subQueue + ")";
    }
}
