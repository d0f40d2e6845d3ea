package io.berth.bench.stress;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.WaitingPod;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.verdict.PermitVerdict;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A permit plugin as somebody else would write it: some pods wait, and threads of its own let them
/// go, send them away, or forget them until their time is up.
final class Gang implements PluginFactory, Permit, Events, AutoCloseable {
    static final String NAME = "Gang";
    static final String LABEL = "gang";

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
    private final SplittableRandom random;
    private final Bindings bindings;
    private @Nullable Handle handle;

    Gang(long seed, Bindings bindings) {
        this.random = new SplittableRandom(seed);
        this.bindings = bindings;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Plugin create(Arguments arguments, Handle given) {
        handle = given;
        return this;
    }

    @Override
    public List<Registration> events() {
        return List.of(Registration.of(ClusterEvent.POD, Action.DELETE));
    }

    @Override
    public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
        if (!pod.labels().has(LABEL)) {
            bindings.decided(pod.name());
            return PermitVerdict.PASS;
        }
        int dice = random.nextInt(10);
        if (dice > 0) {
            var _ =
                    threads.schedule(
                            () -> decide(pod, dice > 1),
                            random.nextInt(500),
                            TimeUnit.MILLISECONDS);
        }
        return new PermitVerdict.Wait(Duration.ofMillis(600 + random.nextInt(1000)));
    }

    private void decide(Pod pod, boolean lets) {
        var known = handle;
        var waiting = known == null ? null : known.waitingPod(pod.uid());
        if (waiting == null) {
            return;
        }
        if (lets) {
            bindings.decided(pod.name());
            waiting.allow(NAME);
        } else {
            waiting.reject(NAME, "the gang is not complete");
        }
    }

    /// Pods that wait for a permit.
    List<WaitingPod> waiting() {
        var known = handle;
        return known == null ? List.of() : List.copyOf(known.waitingPods());
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
