package io.berth.engine.journal;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Extender;
import io.berth.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// An extender whose answers are seen.
///
/// What it is asked follows from the engine's decisions, so only what it says matters. Bindings are
/// not seen here: their outcome is a message.
final class SeenExtender extends StandInExtender {
    private final Consumer<Object> seen;

    /// @param seen told each answer, or the exception in its place
    SeenExtender(Extender real, Consumer<Object> seen) {
        super(real);
        this.seen = seen;
    }

    private <T> T seeing(Supplier<T> call) {
        try {
            T answer = call.get();
            seen.accept(answer);
            return answer;
        } catch (RuntimeException failure) {
            seen.accept(failure);
            throw failure;
        }
    }

    @Override
    public Filtered filter(Pod pod, List<NodeView> nodes) {
        return seeing(() -> real().filter(pod, nodes));
    }

    @Override
    public List<HostScore> prioritize(Pod pod, List<NodeView> nodes) {
        return seeing(() -> real().prioritize(pod, nodes));
    }

    @Override
    public void bind(Pod pod, String nodeName) {
        real().bind(pod, nodeName);
    }

    @Override
    public Map<String, ChosenVictims> preempt(Pod pod, Map<String, Victims> candidates) {
        return seeing(() -> real().preempt(pod, candidates));
    }
}
