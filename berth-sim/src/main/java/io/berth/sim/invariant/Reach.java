package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.engine.Inspection;
import io.berth.plugins.volumebinding.VolumeBinding;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainVolumes;
import io.berth.sim.plain.Promises;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// A pod whose claims had no volumes when its node was chosen is bound once they have, and once the
/// node can reach them. Looked at after each step until all is in order, and when the engine lets
/// the binding go on; what it hears while the binding is on its way comes too late. Claims that are
/// bound when the node is chosen are looked at then, and by no one again (VB-17), whatever becomes
/// of them.
final class Reach implements Invariant {
    private static final String BIND = "bind ";

    private final Watched watched;

    /// Pods that are being brought to their nodes, by uid.
    private final Map<String, Brought> brought = new HashMap<>();

    /// @param pod with its node
    /// @param claims those that had no volume when the node was chosen
    /// @param problem what was wrong when it was last looked at; empty where nothing was
    private record Brought(Pod pod, List<String> claims, String problem) {}

    Reach(Watched watched) {
        this.watched = watched;
    }

    @Override
    public void atChoice(Pod pod, String nodeName) {
        var claims = volumes().unbound(pod);
        if (!claims.isEmpty() && watched.pluginsFor(pod).contains(VolumeBinding.NAME)) {
            var placed = pod.onNode(nodeName);
            brought.put(pod.uid(), new Brought(placed, claims, problem(placed, claims)));
        }
    }

    /// A binding that went on in good order is not looked at again when that of a namesake does:
    /// the server may keep the first one waiting until there is another pod of its name.
    @Override
    public void atTask(String name) {
        if (name.startsWith(BIND)) {
            var key = name.substring(BIND.length());
            look(pod -> pod.key().equals(key));
        }
    }

    /// Volumes may be in order while the pod still waits for something else, such as its devices;
    /// they are not looked at again for that.
    @Override
    public void afterStep() {
        look(pod -> true);
    }

    private void look(Predicate<Pod> which) {
        brought.replaceAll((_, each) ->
                which.test(each.pod) && !each.problem.isEmpty()
                        ? new Brought(each.pod, each.claims, problem(each.pod, each.claims))
                        : each);
    }

    private String problem(Pod pod, List<String> claims) {
        var node = Inspection.of(watched.engine()).state().node(pod.nodeName());
        var problem = node == null ? null : volumes().outOfReach(pod.namespace(), claims, node);
        return problem == null ? "" : problem;
    }

    private PlainVolumes volumes() {
        return PlainVolumes.of(Inspection.of(watched.engine()).objects(), new Promises());
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
