package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.engine.Inspection;
import io.berth.plugins.volumebinding.VolumeBinding;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainVolumes;
import io.berth.sim.plain.Promises;
import java.util.HashMap;
import java.util.Map;

/// A pod whose claims had no volumes when its node was chosen is bound once they have, and once the
/// node can reach them. Looked at when the engine lets the binding go on; what it hears while the
/// binding is on its way comes too late.
final class Reach implements Invariant {
    private static final String BIND = "bind ";

    private final Watched watched;

    /// Pods that are being brought to their nodes, by uid.
    private final Map<String, Brought> brought = new HashMap<>();

    /// @param pod with its node
    /// @param problem what was wrong when the binding last went on; empty where nothing was
    private record Brought(Pod pod, String problem) {}

    Reach(Watched watched) {
        this.watched = watched;
    }

    /// Claims that are bound when the node is chosen are looked at then, and by no one again.
    @Override
    public void atChoice(Pod pod, String nodeName) {
        var placed = pod.onNode(nodeName);
        var problem = problem(placed);
        if (!problem.isEmpty() && watched.pluginsFor(pod).contains(VolumeBinding.NAME)) {
            brought.put(pod.uid(), new Brought(placed, problem));
        }
    }

    /// A binding that went on in good order is not looked at again when that of a namesake does:
    /// the server may keep the first one waiting until there is another pod of its name.
    @Override
    public void atTask(String name) {
        if (name.startsWith(BIND)) {
            var key = name.substring(BIND.length());
            brought.replaceAll((_, each) ->
                    each.pod.key().equals(key) && !each.problem.isEmpty()
                            ? new Brought(each.pod, problem(each.pod))
                            : each);
        }
    }

    private String problem(Pod pod) {
        var engine = Inspection.of(watched.engine());
        var node = engine.state().node(pod.nodeName());
        var volumes = PlainVolumes.of(engine.objects(), new Promises());
        var problem = node == null ? null : volumes.outOfReach(pod, node);
        return problem == null ? "" : problem;
    }

    @Override
    public void atReturn(Pod pod) {
        brought.remove(pod.uid());
    }

    @Override
    public void atWrite(Write write) {
        if (write instanceof Write.Bind(var pod, var node)) {
            var known = brought.remove(pod.uid());
            Broken.require(
                    known == null || known.problem.isEmpty(),
                    "%s is bound to %s, but %s",
                    pod.key(),
                    node,
                    known);
        }
    }
}
