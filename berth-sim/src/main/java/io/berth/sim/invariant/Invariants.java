package io.berth.sim.invariant;

import io.berth.api.handle.StateObserver;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainImages;
import io.berth.sim.plain.Promises;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// All that must hold of one scheduler process; docs/simulation.md says the same in words.
///
/// Some moments come from inside the engine, which catches what plugins throw. So what is broken is
/// kept and thrown again where nobody catches it ([#rethrow]).
public final class Invariants {
    private final Preemptions preemptions = new Preemptions();
    private final Bindings bindings = new Bindings();
    private final PlainImages images = new PlainImages();
    private final SharedPorts sharedPorts;
    private final Pause pause;
    private final PromisedVolumes volumes;
    private final List<Invariant> all;
    private @Nullable Broken broken;

    public Invariants(Watched watched) {
        sharedPorts = new SharedPorts(watched);
        pause = new Pause(watched);
        volumes = new PromisedVolumes(watched);
        var attempts = new Attempts(watched, preemptions, volumes);
        all =
                List.of(
                        // Those that others ask come first.
                        sharedPorts,
                        attempts,
                        preemptions,
                        bindings,
                        new Turns(watched, preemptions),
                        new Images(watched, images),
                        new Choices(watched, sharedPorts, volumes),
                        new VolumeLimits(watched),
                        new SinglePodClaims(watched),
                        // After the choice was looked at, what comes with it is promised.
                        volumes,
                        new Reach(watched),
                        new DeviceGrants(watched, volumes, bindings),
                        new Reservations(),
                        new Books(watched),
                        pause,
                        new FreedPlaces(watched, attempts),
                        new Figures(watched, bindings),
                        new Capacity(watched),
                        new Unfinished(watched, bindings),
                        new Knowledge(watched, bindings),
                        new Waiters(watched, attempts),
                        new Conditions(watched, bindings),
                        new ToldNominations(watched),
                        new SecondOpinion(watched, sharedPorts));
    }

    /// Tells all of them of a moment.
    public void tell(Consumer<Invariant> moment) {
        try {
            all.forEach(moment);
        } catch (Broken rule) {
            broken(rule);
        }
    }

    /// Something else than an invariant found a rule broken.
    public void broken(Broken rule) {
        if (broken == null) {
            broken = rule;
        }
        throw rule;
    }

    /// Throws what was broken, wherever that was.
    public void rethrow() {
        if (broken != null) {
            throw broken;
        }
    }

    /// To be told of all changes of the engine's state.
    public StateObserver images() {
        return images;
    }

    public Pause pause() {
        return pause;
    }

    Preemptions preemptions() {
        return preemptions;
    }

    /// How many bindings have been asked for and not been answered.
    public int unanswered() {
        return bindings.unanswered().size();
    }

    Promises promises() {
        return volumes.promises();
    }

    SharedPorts sharedPorts() {
        return sharedPorts;
    }
}
