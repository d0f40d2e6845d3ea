package io.berth.plugins.defaultpreemption;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Extender;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Log;
import io.berth.api.handle.NodeList;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Lets extenders narrow the candidates of a preemption, one after another (rule E-149). They may
/// also choose other victims.
final class ExtendedCandidates {
    private final List<Extender> extenders;
    private final NodeList nodes;
    private final Log log;

    ExtendedCandidates(Handle handle) {
        this.extenders = handle.extenders();
        this.nodes = handle.nodes();
        this.log = handle.log();
    }

    /// The candidates that are left, in their order; nodes that an extender brought in come last.
    List<Candidate> narrow(Pod pod, List<Candidate> candidates) {
        var left = candidates;
        for (var extender : extenders) {
            if (left.isEmpty()) {
                break;
            }
            if (!extender.supportsPreemption() || !extender.isInterested(pod)) {
                continue;
            }
            try {
                left = ask(extender, pod, left);
            } catch (RuntimeException failed) {
                if (!extender.isIgnorable()) {
                    throw failed;
                }
                log.info(
                        2,
                        "Skipped extender as it returned error and has ignorable flag set",
                        "extender",
                        extender.name(),
                        "err",
                        failed.getMessage());
            }
        }
        return left;
    }

    private List<Candidate> ask(Extender extender, Pod pod, List<Candidate> candidates) {
        var asked = new LinkedHashMap<String, Extender.Victims>();
        for (var candidate : candidates) {
            asked.put(
                    candidate.node(),
                    new Extender.Victims(candidate.victims(), candidate.violations()));
        }
        var answer = extender.preempt(pod, asked);
        var chosen = new LinkedHashMap<String, Extender.ChosenVictims>();
        for (var name : asked.keySet()) {
            var victims = answer.get(name);
            if (victims != null) {
                chosen.put(name, victims);
            }
        }
        chosen.putAll(answer);
        var result = new ArrayList<Candidate>();
        for (var entry : chosen.entrySet()) {
            var name = entry.getKey();
            var candidate = candidate(extender, name, entry.getValue());
            if (!candidate.victims().isEmpty()) {
                result.add(candidate);
            } else if (extender.isIgnorable()) {
                log.info(
                        2,
                        "Ignored node for which the extender didn't report victims",
                        "node",
                        name,
                        "extender",
                        extender.name());
            } else {
                throw new IllegalStateException(
                        "expected at least one victim pod on node \"" + name + "\"");
            }
        }
        return result;
    }

    private Candidate candidate(Extender extender, String name, Extender.ChosenVictims chosen) {
        var node = nodes.byName(name);
        if (node == null) {
            throw new IllegalStateException("nodeinfo not found for node name \"" + name + "\"");
        }
        var victims = new ArrayList<Pod>();
        for (var uid : chosen.uids()) {
            victims.add(victim(extender, node, uid));
        }
        return new Candidate(name, victims, Math.toIntExact(chosen.violations()));
    }

    private static Pod victim(Extender extender, NodeView node, String uid) {
        for (var pod : node.pods()) {
            if (pod.uid().equals(uid)) {
                return pod;
            }
        }
        // The odd form of the uid is upstream's.
        throw new IllegalStateException(
                ("extender: %s claims to preempt pod (UID: &{%s}) on node: %s, but the pod is not"
                                + " found on that node")
                        .formatted(extender.name(), uid, node.name()));
    }
}
