package io.berth.engine.journal;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Extender;
import io.berth.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// An extender that says again what it once said.
final class ReplayedExtender extends StandInExtender {
    private final Queue<Object> answers;

    /// @param real asked what kind it is, and nothing else
    /// @param answers in order; exceptions among them
    ReplayedExtender(Extender real, Queue<Object> answers) {
        super(real);
        this.answers = answers;
    }

    private Object next() {
        var answer = answers.poll();
        return switch (answer) {
            case null -> throw new IllegalStateException("an answer that is not on record");
            case RuntimeException failure -> throw failure;
            default -> answer;
        };
    }

    @Override
    public Filtered filter(Pod pod, List<NodeView> nodes) {
        return (Filtered) next();
    }

    @Override
    @SuppressWarnings("unchecked") // what was kept here came from here
    public List<HostScore> prioritize(Pod pod, List<NodeView> nodes) {
        return (List<HostScore>) next();
    }

    @Override
    public void bind(Pod pod, String nodeName) {
        throw new IllegalStateException("nothing is bound again");
    }

    @Override
    @SuppressWarnings("unchecked") // what was kept here came from here
    public Map<String, ChosenVictims> preempt(Pod pod, Map<String, Victims> candidates) {
        return (Map<String, ChosenVictims>) next();
    }
}
