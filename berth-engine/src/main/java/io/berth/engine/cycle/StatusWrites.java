package io.berth.engine.cycle;

import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Departure;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.message.Message;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes what the scheduler says in pods' status, without keeping the engine waiting and in one
/// order per pod, whoever asks for it.
///
/// ```
///   asked ──► waits, the newest word only ──► under way ──► its outcome
///               │        ▲                      │ not sent yet and outdated: withdrawn
///               │        └─ a place is free     │
///               └─ bound or gone: dropped       └─ the pod's binding waits for the outcome
/// ```
///
/// Per pod one write is under way at a time, so that an older word never overwrites a newer one.
/// Conditions stand in a line that lets few go at once, with one entry per pod. What a binding or
/// an eviction waits for goes at once.
///
/// Owned by the engine thread; the writes themselves are errands.
public final class StatusWrites {
    /// More would only wait for the API server elsewhere, where they can no longer be replaced.
    static final int MOST_AT_ONCE = 16;

    private final ClusterWrites writes;
    private final Errands errands;
    private final Log log;
    private final Map<String, Slot> byUid = new HashMap<>();

    /// Pods whose word waits for a free place, in order.
    private final Set<String> line = new LinkedHashSet<>();

    /// What was sent last of a pod, by uid, until the pod was seen to say so. Meanwhile its newest
    /// form may be one from before.
    private final Map<String, LastWord> unseen = new HashMap<>();

    private int late;

    /// What concerns one pod.
    private static final class Slot {
        @Nullable Sending current;
        @Nullable StatusWrite next;
        @Nullable Runnable binding;

        /// Whether the pod has got its node, or is gone.
        boolean isOver;

        boolean isSent() {
            return current != null && current.departure.isUnderWay();
        }
    }

    /// What was sent last of a pod.
    ///
    /// @param isCertain whether the API server said that it is written
    private record LastWord(StatusWrite write, boolean isCertain) {}

    /// A write whose errand has begun.
    ///
    /// @param departure says whether it is still wanted
    private record Sending(StatusWrite write, Departure departure) {}

    public StatusWrites(ClusterWrites writes, Errands errands, Log log) {
        this.writes = writes;
        this.errands = errands;
        this.log = log;
    }

    /// How many pods have a write under way or waiting.
    public int underWay() {
        return byUid.size();
    }

    /// How many pods have one that has been sent.
    public int sent() {
        return (int) byUid.values().stream().filter(Slot::isSent).count();
    }

    /// Says why a pod has no node, when its turn comes.
    void write(Pod pod, PodCondition condition, @Nullable String nomination) {
        add(StatusWrite.late(pod, condition, nomination));
    }

    /// Says soon which node a pod is meant for, empty for none.
    ///
    /// @param whenDone told why it was not written; null where it is, or is no longer of interest
    public void nominate(Pod pod, String node, Consumer<@Nullable String> whenDone) {
        add(StatusWrite.urgent(pod, node, whenDone));
    }

    private void add(StatusWrite asked) {
        var uid = asked.pod().uid();
        var write = isInDoubt(asked.pod()) ? asked.inDoubt() : asked;
        var slot = byUid.get(uid);
        if (slot == null) {
            if (write.isSaid()) {
                write.tell(null);
                return;
            }
            slot = new Slot();
            byUid.put(uid, slot);
        }
        var next = slot.next == null ? write : write.inPlaceOf(slot.next);
        slot.next = next;
        if (slot.current != null && next.isUrgent()) {
            slot.current.departure.withdraw();
        }
        advance(uid, slot);
    }

    /// Whether a pod may say something else than this form of it. What is certainly written and
    /// said here was seen, maybe before the answer came; a write that changed nothing is never seen
    /// at all.
    private boolean isInDoubt(Pod pod) {
        var last = unseen.get(pod.uid());
        if (last != null && last.isCertain && last.write.isSaidBy(pod)) {
            unseen.remove(pod.uid());
            return false;
        }
        return last != null;
    }

    /// Lets a binding begin: at once where nothing about the pod is under way, else after that.
    /// What was not sent is dropped, since it is no longer true.
    void beforeBinding(Pod pod, Runnable binding) {
        dropWaiting(pod.uid());
        var slot = byUid.get(pod.uid());
        if (slot == null) {
            binding.run();
        } else {
            slot.binding = binding;
        }
    }

    /// A pod without a node was seen in this form. What it says need not be remembered any more.
    public void seen(Pod pod) {
        var last = unseen.get(pod.uid());
        if (last != null && last.write.isSaidBy(pod)) {
            unseen.remove(pod.uid());
        }
    }

    /// Drops what waits to be said of a pod that has got its node, or is gone.
    public void drop(String uid) {
        unseen.remove(uid);
        var slot = byUid.get(uid);
        if (slot != null) {
            slot.isOver = true;
            dropWaiting(uid);
        }
    }

    private void dropWaiting(String uid) {
        var slot = byUid.get(uid);
        if (slot == null) {
            return;
        }
        line.remove(uid);
        var outdated = slot.next;
        slot.next = null;
        if (slot.current != null) {
            slot.current.departure.withdraw();
        }
        advance(uid, slot);
        if (outdated != null) {
            outdated.tell(null);
        }
    }

    private void advance(String uid, Slot slot) {
        if (slot.current != null) {
            return;
        }
        var next = slot.next;
        if (next == null) {
            byUid.remove(uid, slot);
        } else if (next.isUrgent() || late < MOST_AT_ONCE) {
            start(uid, slot, next);
        } else {
            line.add(uid);
        }
    }

    private void start(String uid, Slot slot, StatusWrite write) {
        line.remove(uid);
        slot.next = null;
        var departure = new Departure();
        slot.current = new Sending(write, departure);
        late += write.isUrgent() ? 0 : 1;
        tellLog(write);
        errands.start(
                "status " + write.pod().key(),
                errand -> send(errand, write, departure),
                outcome -> done(write, outcome));
    }

    /// Task.
    private Message.StatusWritten send(long errand, StatusWrite write, Departure departure) {
        try {
            boolean isWritten = writes.send(write.patch(), departure).isSent();
            return new Message.StatusWritten(errand, isWritten, null);
        } catch (RuntimeException refused) {
            if (!write.isHeard()) {
                log.error(refused, "Error updating pod", "pod", write.pod().key());
            }
            return new Message.StatusWritten(errand, false, PluginFailure.textOf(refused));
        }
    }

    private void done(StatusWrite write, Message.Outcome outcome) {
        var uid = write.pod().uid();
        var slot = byUid.get(uid);
        if (slot == null) {
            throw new IllegalStateException("no slot for the write under way of " + uid);
        }
        late -= write.isUrgent() ? 0 : 1;
        slot.current = null;
        var problem = problemOf(outcome);
        if (!slot.isOver && (problem != null || isWritten(outcome))) {
            unseen.put(uid, new LastWord(write, problem == null));
        }
        var over = settle(slot, write, outcome, problem);
        goOn(uid, slot);
        startWaiting();
        // Last, since who hears of it may go on to bind the pod.
        over.forEach(each -> each.tell(problem));
    }

    /// Has what waits follow from what became of the write before it.
    ///
    /// @return which writes are over
    private static List<StatusWrite> settle(
            Slot slot, StatusWrite write, Message.Outcome outcome, @Nullable String problem) {
        var next = slot.next;
        if (next == null) {
            return List.of(write);
        }
        if (problem != null) {
            slot.next = next.inDoubt();
            return List.of(write);
        }
        if (!isWritten(outcome) && slot.binding != null) {
            // What waits came after the binding, from a preemption say. What the pod lacked
            // before is no longer true.
            return List.of(write);
        }
        if (!isWritten(outcome)) {
            slot.next = next.inPlaceOf(write);
            return List.of();
        }
        var following = next.after(write);
        slot.next = following.isSaid() ? null : following;
        return following.isSaid() ? List.of(write, following) : List.of(write);
    }

    private static boolean isWritten(Message.Outcome outcome) {
        return outcome instanceof Message.StatusWritten(_, var isWritten, _) && isWritten;
    }

    private static @Nullable String problemOf(Message.Outcome outcome) {
        return switch (outcome) {
            case Message.StatusWritten(_, _, var problem) -> problem;
            case Message.Failed(_, var problem) -> problem;
            case Message.Bound _, Message.BindingFailed _, Message.Prepared _ ->
                    throw new IllegalStateException("no end of a status write: " + outcome);
        };
    }

    private void goOn(String uid, Slot slot) {
        var binding = slot.binding;
        slot.binding = null;
        advance(uid, slot);
        if (binding != null) {
            binding.run();
        }
    }

    private void startWaiting() {
        while (late < MOST_AT_ONCE && !line.isEmpty()) {
            var uid = line.iterator().next();
            line.remove(uid);
            var slot = byUid.get(uid);
            if (slot != null) {
                advance(uid, slot);
            }
        }
    }

    private void tellLog(StatusWrite write) {
        var condition = write.condition();
        if (condition == null || !log.isOn(3)) {
            return;
        }
        var nomination = write.nomination();
        log.info(
                3,
                "Updating pod condition and nominated node name",
                "pod",
                write.pod().key(),
                "conditionType",
                condition.type(),
                "conditionStatus",
                condition.status(),
                "conditionReason",
                condition.reason(),
                "nominatedNodeName",
                nomination == null ? write.pod().nominatedNodeName() : nomination,
                "nominatingMode",
                nomination == null ? "ModeNoop" : "ModeOverride");
    }
}
