package io.berth.sim;

import io.berth.api.explain.Decision;
import io.berth.api.model.Pod;
import io.berth.engine.port.AttemptObserver;
import io.berth.sim.invariant.Invariants;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Watches the attempts of an engine and tells the invariants of them.
final class Onlooker implements AttemptObserver {
    private final Invariants invariants;
    private final Consumer<String> story;

    Onlooker(Invariants invariants, Consumer<String> story) {
        this.invariants = invariants;
        this.story = story;
    }

    @Override
    public void decided(Pod pod, String profile, Supplier<Decision> decision) {
        invariants.tell(each -> each.atAttempt(pod));
        if (decision.get() instanceof Decision.Placed placed) {
            var node = placed.choice().node();
            story.accept("chose " + node + " for " + pod.key());
            invariants.tell(each -> each.atChoice(pod, node));
        }
    }

    @Override
    public void failed(Pod pod, String profile, String message) {
        invariants.tell(each -> each.atFailure(pod));
    }

    @Override
    public void givenBack(Pod pod, String node) {
        story.accept("gave back " + node + " of " + pod.key());
        invariants.tell(each -> each.atReturn(pod));
    }
}
