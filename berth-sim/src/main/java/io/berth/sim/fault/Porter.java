package io.berth.sim.fault;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Permit;
import io.berth.api.verdict.PermitVerdict;
import io.berth.sim.time.Chance;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/// A permit plugin that makes up its mind on a thread of its own: at once, late, more than once, or
/// never, so that the time runs out. In a calm it lets everybody in.
public final class Porter implements Permit, Events {
    public static final String NAME = "Porter";

    private final Handle handle;
    private final Chance chance;
    private final Mishaps mood;
    private final BiConsumer<Long, Runnable> later;

    /// @param mood tells whether all is calm
    /// @param later does something after so many milliseconds, on a thread of its own
    public Porter(Handle handle, Chance chance, Mishaps mood, BiConsumer<Long, Runnable> later) {
        this.handle = handle;
        this.chance = chance;
        this.mood = mood;
        this.later = later;
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Whether the porter is asked about this pod.
    public static boolean concerns(Pod pod) {
        return pod.uid().hashCode() % 4 == 0;
    }

    /// Who was sent away may come back when anything happens.
    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(ClusterEvent.NODE, Action.ALL),
                Registration.of(ClusterEvent.POD, Action.ALL));
    }

    @Override
    public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
        if (!concerns(pod)) {
            return PermitVerdict.PASS;
        }
        if (handle.outside(mood::isCalm)) {
            later.accept((long) chance.between(0, 300), () -> answer(pod.uid(), 0));
            return new PermitVerdict.Wait(Duration.ofMinutes(1));
        }
        int limit = chance.oneOf(200, 2000, 15_000);
        int answers = chance.between(0, 3);
        for (int i = 0; i < answers; i++) {
            int mood = chance.between(0, 5);
            later.accept(
                    (long) chance.between(0, limit + limit / 2), () -> answer(pod.uid(), mood));
        }
        return new PermitVerdict.Wait(Duration.ofMillis(limit));
    }

    private void answer(String uid, int mood) {
        var waiting = handle.waitingPod(uid);
        if (waiting == null) {
            return;
        }
        switch (mood) {
            case 4 -> waiting.reject(NAME, "not today");
            case 5 -> waiting.preempt(NAME, "thought again");
            default -> waiting.allow(NAME);
        }
    }
}
