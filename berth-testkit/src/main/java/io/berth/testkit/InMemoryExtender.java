package io.berth.testkit;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Extender;
import io.berth.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An extender whose answers are lambdas. It takes part in what it has an answer for.
///
/// ```java
/// var extender =
///         InMemoryExtender.named("gpu").filtering((pod, nodes) -> Filtered.to(List.of("a")));
/// ```
public final class InMemoryExtender implements Extender {
    private final String name;
    private boolean ignorable;
    private long weight = 1;
    private Predicate<Pod> interest = pod -> true;
    private @Nullable BiFunction<Pod, List<String>, Filtered> filter;
    private @Nullable BiFunction<Pod, List<String>, List<HostScore>> scores;
    private @Nullable BiConsumer<Pod, String> binder;
    private @Nullable BiFunction<Pod, Map<String, Victims>, Map<String, ChosenVictims>> preempt;

    private InMemoryExtender(String name) {
        this.name = name;
    }

    public static InMemoryExtender named(String name) {
        return new InMemoryExtender(name);
    }

    public InMemoryExtender ignorable() {
        ignorable = true;
        return this;
    }

    public InMemoryExtender interestedIn(Predicate<Pod> pods) {
        interest = pods;
        return this;
    }

    public InMemoryExtender filtering(BiFunction<Pod, List<String>, Filtered> answer) {
        filter = answer;
        return this;
    }

    public InMemoryExtender scoring(
            long itsWeight, BiFunction<Pod, List<String>, List<HostScore>> answer) {
        weight = itsWeight;
        scores = answer;
        return this;
    }

    public InMemoryExtender binding(BiConsumer<Pod, String> answer) {
        binder = answer;
        return this;
    }

    public InMemoryExtender preempting(
            BiFunction<Pod, Map<String, Victims>, Map<String, ChosenVictims>> answer) {
        preempt = answer;
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isIgnorable() {
        return ignorable;
    }

    @Override
    public boolean isInterested(Pod pod) {
        return interest.test(pod);
    }

    @Override
    public boolean isFilter() {
        return filter != null;
    }

    @Override
    public boolean isPrioritizer() {
        return scores != null;
    }

    @Override
    public boolean isBinder() {
        return binder != null;
    }

    @Override
    public boolean supportsPreemption() {
        return preempt != null;
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public Filtered filter(Pod pod, List<NodeView> nodes) {
        return required(filter).apply(pod, names(nodes));
    }

    @Override
    public List<HostScore> prioritize(Pod pod, List<NodeView> nodes) {
        return required(scores).apply(pod, names(nodes));
    }

    @Override
    public void bind(Pod pod, String nodeName) {
        required(binder).accept(pod, nodeName);
    }

    @Override
    public Map<String, ChosenVictims> preempt(Pod pod, Map<String, Victims> candidates) {
        return required(preempt).apply(pod, candidates);
    }

    private static List<String> names(List<NodeView> nodes) {
        return nodes.stream().map(NodeView::name).toList();
    }

    private <T> T required(@Nullable T answer) {
        if (answer == null) {
            throw new IllegalStateException(name + " was asked for what it does not do");
        }
        return answer;
    }
}
