package io.berth.sim.invariant;

import io.berth.api.event.Registration;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.ReserveVerdict;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Looks at every choice the moment it is made: the node must exist and must be able to take the
/// pod, by the plain reading of the contract. Sits in the profile as a plugin of its own.
public final class DecisionCheck implements Reserve, Events {
    public static final String NAME = "DecisionCheck";

    private final Handle handle;
    private final Consumer<String> story;

    private final SharedPorts sharedPorts;

    public DecisionCheck(Handle handle, Consumer<String> story, SharedPorts sharedPorts) {
        this.sharedPorts = sharedPorts;
        this.handle = handle;
        this.story = story;
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
    public ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName) {
        story.accept("chose " + nodeName + " for " + pod.key());
        Set<String> plugins = new HashSet<>(handle.pluginNames());
        if (sharedPorts.matterTo(pod, nodeName)) {
            plugins.remove("NodePorts");
        }
        var refusal =
                Reference.refusal(PlainCluster.of(handle.nodes().all()), pod, nodeName, plugins);
        Broken.require(
                refusal == null,
                "%s was placed on %s, which cannot take it: %s",
                pod.key(),
                nodeName,
                refusal);
        return ReserveVerdict.PASS;
    }

    @Override
    public void unreserve(Cycle cycle, Pod pod, String nodeName) {
        story.accept("gave back " + nodeName + " of " + pod.key());
    }
}
