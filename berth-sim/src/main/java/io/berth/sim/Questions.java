package io.berth.sim;

import io.berth.engine.Engine;
import io.berth.engine.Inspection;
import io.berth.engine.framework.PluginFailure;
import io.berth.sim.fault.Mishaps;
import io.berth.sim.scenario.Scenario;
import io.berth.sim.time.Chance;
import org.jspecify.annotations.Nullable;

/// Asks an engine about its pending pods between its steps. Nothing may come of it.
final class Questions {
    private static final long SALT = 0x6A09E667F3BCC908L;
    private static final double RATE = 0.4;

    private final @Nullable Chance chance;
    private final Mishaps mishaps;

    private Questions(@Nullable Chance chance, Mishaps mishaps) {
        this.chance = chance;
        this.mishaps = mishaps;
    }

    /// Of its own chance, so that a run with questions is the same otherwise.
    static Questions of(Scenario scenario, Mishaps mishaps, boolean isCurious) {
        return new Questions(isCurious ? new Chance(scenario.seed() ^ SALT) : null, mishaps);
    }

    /// Asks now and then.
    void perhaps(Engine engine) {
        if (chance == null || !chance.happens(RATE)) {
            return;
        }
        var pending = Inspection.of(engine).queue().pending();
        if (pending.isEmpty()) {
            return;
        }
        var pod = pending.get(chance.between(0, pending.size() - 1)).pod();
        var profile = engine.profiles().get(pod.spec().schedulerName());
        if (profile != null) {
            try {
                mishaps.without(() -> profile.explain(pod));
            } catch (PluginFailure told) {
                // A plugin cannot judge this pod as things are. An attempt would end like this.
            }
        }
    }
}
