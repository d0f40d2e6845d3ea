package io.berth.sim.fault;

import io.berth.api.event.Registration;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.PermitVerdict;
import io.berth.api.plugin.Refusal;
import io.berth.sim.time.Chance;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/// A permit plugin that makes some pods wait and then lets them in, turns them away, or forgets
/// them until their time is up. Names no event that would help a pod it turned away.
public final class Doorkeeper implements Permit, Events {
    public static final String NAME = "Doorkeeper";

    /// Pods with this label meet the doorkeeper.
    public static final String LABEL = "door";

    private final Handle handle;
    private final Chance chance;
    private final BiConsumer<Long, Runnable> later;

    /// @param later does something after so many milliseconds, on a thread of its own
    public Doorkeeper(Handle handle, Chance chance, BiConsumer<Long, Runnable> later) {
        this.handle = handle;
        this.chance = chance;
        this.later = later;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Registration> events() {
        return List.of();
    }

    @Override
    public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
        if (!pod.labels().has(LABEL)) {
            return PermitVerdict.PASS;
        }
        int mood = chance.between(0, 9);
        if (mood == 0) {
            return Refusal.mayPreempt("not today");
        }
        if (mood < 8) {
            String uid = pod.uid();
            boolean lets = mood < 6;
            later.accept((long) chance.between(1, 6000), () -> decide(uid, lets));
        }
        return new PermitVerdict.Wait(Duration.ofMillis(chance.between(500, 5000)));
    }

    private void decide(String uid, boolean lets) {
        var waiting = handle.waitingPod(uid);
        if (waiting == null) {
            return;
        }
        if (lets) {
            waiting.allow(NAME);
        } else {
            waiting.reject(NAME, "thought again");
        }
    }
}
