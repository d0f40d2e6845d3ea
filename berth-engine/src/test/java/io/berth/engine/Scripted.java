package io.berth.engine;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.PostBind;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Refusals;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.verdict.Pass;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.ReserveVerdict;
import io.berth.api.verdict.Verdict;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Plugins whose whole behaviour is a lambda of the test. No event wakes the pods they refuse,
/// except where the test names some: so each pod is tried once.
public final class Scripted {
    private Scripted() {}

    /// A plugin that no event helps.
    public interface Unwakeable extends Events {
        @Override
        default List<Registration> events() {
            return List.of();
        }
    }

    public static PreFilter preFilter(String name, Function<Pod, PreFilterVerdict> verdict) {
        return new PreFilterOnly(name, verdict);
    }

    private record PreFilterOnly(String name, Function<Pod, PreFilterVerdict> verdict)
            implements PreFilter, Unwakeable {
        @Override
        public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
            return verdict.apply(pod);
        }
    }

    /// A filter without a column form.
    public static Filter filter(String name, BiFunction<Pod, NodeView, Verdict> verdict) {
        return new FilterOnly(name, verdict);
    }

    private record FilterOnly(String name, BiFunction<Pod, NodeView, Verdict> verdict)
            implements Filter, Unwakeable {
        @Override
        public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
            return verdict.apply(pod, node);
        }
    }

    /// A filter with a column form.
    public static Filter columnFilter(String name, BiFunction<Pod, NodeView, Verdict> verdict) {
        return new ColumnFilter(name, verdict);
    }

    private record ColumnFilter(String name, BiFunction<Pod, NodeView, Verdict> verdict)
            implements ClusterFilter, Unwakeable {
        @Override
        public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
            return new SlotJudge() {
                @Override
                public boolean passes(int slot) {
                    return explain(slot) instanceof Pass;
                }

                @Override
                public Verdict explain(int slot) {
                    return verdict.apply(pod, columns.node(slot));
                }
            };
        }
    }

    /// A filter that is woken by these events alone.
    public static Filter filterWaking(
            String name,
            BiFunction<Pod, NodeView, Verdict> verdict,
            Registration... registrations) {
        return new WakingFilter(name, verdict, List.of(registrations));
    }

    private record WakingFilter(
            String name, BiFunction<Pod, NodeView, Verdict> verdict, List<Registration> events)
            implements Filter, Events {
        @Override
        public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
            return verdict.apply(pod, node);
        }
    }

    /// Keeps pod `other` waiting for a place to become free, and notes who is asked whether it has.
    public static Filter waitingForAPlace(List<String> asked) {
        return filterWaking(
                "Waits",
                (pod, node) ->
                        pod.name().equals("other") ? Refusal.mayPreempt("waits") : Verdict.PASS,
                Registration.of(
                        ClusterEvent.POD,
                        Action.DELETE,
                        (waiting, before, after) -> {
                            asked.add(waiting.name());
                            return Registration.Hint.SKIP;
                        }));
    }

    /// PreFilter and Filter in one, as most real filters are.
    public static PreAndFilter preAndFilter(
            String name,
            Function<Pod, PreFilterVerdict> before,
            BiFunction<Pod, NodeView, Verdict> verdict) {
        return new PreAndFilter(name, before, verdict, null);
    }

    public record PreAndFilter(
            String name,
            Function<Pod, PreFilterVerdict> before,
            BiFunction<Pod, NodeView, Verdict> verdict,
            @Nullable WhatIf whatIf)
            implements PreFilter, Filter, Unwakeable {
        @Override
        public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
            return before.apply(pod);
        }

        @Override
        public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
            return verdict.apply(pod, node);
        }

        public PreAndFilter withWhatIf(WhatIf hooks) {
            return new PreAndFilter(name, before, verdict, hooks);
        }
    }

    public static PostFilter postFilter(String name, Function<Refusals, PostFilterVerdict> help) {
        return new PostFilterOnly(name, help);
    }

    private record PostFilterOnly(String name, Function<Refusals, PostFilterVerdict> help)
            implements PostFilter {
        @Override
        public PostFilterVerdict postFilter(Cycle cycle, Pod pod, Refusals refusals) {
            return help.apply(refusals);
        }
    }

    public static PreScore preScore(String name, Function<List<NodeView>, Boolean> wanted) {
        return new PreScoreOnly(name, wanted);
    }

    private record PreScoreOnly(String name, Function<List<NodeView>, Boolean> wanted)
            implements PreScore {
        @Override
        public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
            return wanted.apply(feasible);
        }
    }

    public static Score score(String name, ToLongFunction<NodeView> score) {
        return new ScoreOnly(name, score);
    }

    private record ScoreOnly(String name, ToLongFunction<NodeView> rating) implements Score {
        @Override
        public long score(Cycle cycle, Pod pod, NodeView node) {
            return rating.applyAsLong(node);
        }
    }

    public static Normalize normalized(
            String name, ToLongFunction<NodeView> score, Consumer<Normalize.Scores> normalize) {
        return new NormalizedScore(name, score, normalize);
    }

    private record NormalizedScore(
            String name, ToLongFunction<NodeView> rating, Consumer<Normalize.Scores> change)
            implements Normalize {
        @Override
        public long score(Cycle cycle, Pod pod, NodeView node) {
            return rating.applyAsLong(node);
        }

        @Override
        public void normalize(Cycle cycle, Pod pod, Scores scores) {
            change.accept(scores);
        }
    }

    /// PreScore and Score in one.
    public static Score preAndScore(
            String name, Function<List<NodeView>, Boolean> wanted, ToLongFunction<NodeView> score) {
        return new PreAndScore(name, wanted, score);
    }

    private record PreAndScore(
            String name, Function<List<NodeView>, Boolean> wanted, ToLongFunction<NodeView> rating)
            implements PreScore, Score {
        @Override
        public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
            return wanted.apply(feasible);
        }

        @Override
        public long score(Cycle cycle, Pod pod, NodeView node) {
            return rating.applyAsLong(node);
        }
    }

    /// Notes `+name` and `-name` in the journal.
    public static Reserve reserve(
            String name, List<String> journal, Function<Pod, ReserveVerdict> verdict) {
        return new ReserveOnly(name, journal, verdict);
    }

    private record ReserveOnly(
            String name, List<String> journal, Function<Pod, ReserveVerdict> verdict)
            implements Reserve, Unwakeable {
        @Override
        public ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName) {
            journal.add("+" + name);
            return verdict.apply(pod);
        }

        @Override
        public void unreserve(Cycle cycle, Pod pod, String nodeName) {
            journal.add("-" + name);
        }
    }

    public static Permit permit(String name, Function<Pod, PermitVerdict> verdict) {
        return new PermitOnly(name, verdict);
    }

    private record PermitOnly(String name, Function<Pod, PermitVerdict> verdict)
            implements Permit, Unwakeable {
        @Override
        public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
            return verdict.apply(pod);
        }
    }

    public static PreBind preBind(String name, Function<Pod, PreBindVerdict> verdict) {
        return new PreBindOnly(name, pod -> true, verdict);
    }

    public static PreBind preBind(
            String name, Function<Pod, Boolean> hasWork, Function<Pod, PreBindVerdict> verdict) {
        return new PreBindOnly(name, hasWork, verdict);
    }

    private record PreBindOnly(
            String name, Function<Pod, Boolean> busy, Function<Pod, PreBindVerdict> verdict)
            implements PreBind {
        @Override
        public boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
            return busy.apply(pod);
        }

        @Override
        public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
            return verdict.apply(pod);
        }
    }

    public static Bind bind(String name, Function<Pod, BindVerdict> verdict) {
        return new BindOnly(name, verdict);
    }

    private record BindOnly(String name, Function<Pod, BindVerdict> verdict) implements Bind {
        @Override
        public BindVerdict bind(Cycle cycle, Pod pod, String nodeName) {
            return verdict.apply(pod);
        }
    }

    public static PostBind postBind(String name, Consumer<Cycle> heard) {
        return new PostBindOnly(name, heard);
    }

    private record PostBindOnly(String name, Consumer<Cycle> heard) implements PostBind {
        @Override
        public void postBind(Cycle cycle, Pod pod, String nodeName) {
            heard.accept(cycle);
        }
    }
}
