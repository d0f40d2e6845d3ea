package io.berth.engine.cycle;

import io.berth.api.plugin.Awaited;
import io.berth.api.plugin.PreBind;
import io.berth.api.verdict.Pass;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.Rejection;
import io.berth.engine.message.Message;
import io.berth.engine.message.Setback;
import io.berth.engine.port.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// A binding that has to be prepared: runs the groups of PreBind plugins one after another, the
/// plugins of a group side by side (rule E-133), and then binds.
///
/// ```
///  engine thread                          binding threads
///  run ──────────────────────────────────► single plugins, inline, one after another ──► bind
///   ▲                                        │ a group of several comes next, or one wrote something
///   │                            ┌───────────┘
///   │  each its own errand ◄─────┘
///   │   └────────────────────────────────► plugin ┐
///   │   └────────────────────────────────► plugin ┤ the first failure stops the others
///   └── all have come to their end ◄──────────────┘
/// ```
///
/// What a plugin wrote it is told on the engine thread, which also looks for what it waits for
/// then. No thread waits for another, so the same code runs in virtual time.
final class Preparation {
    private final Placed placed;
    private final List<List<PreBind>> groups;
    private final PreparingPods preparing;
    private final AttemptContext context;
    private final Waiting waiting;
    private final LongFunction<Message.Outcome> bind;
    private final Consumer<Message.Outcome> whenDone;
    private final long begin;

    /// Waits for something on behalf of a pod.
    interface Waiting {
        /// @param then told why it will not happen; null where it has
        void await(String podUid, String plugin, Awaited awaited, Consumer<@Nullable Setback> then);

        /// Waits no longer for anything on behalf of a pod; whoever waits is told why.
        void cancel(String podUid, Setback problem);
    }

    /// What came of one plugin's work on its binding thread.
    private record Ran(@Nullable Setback setback, PreBindVerdict.@Nullable Wrote wrote) {}

    /// @param groups at least one
    /// @param bind binds on the thread that prepared the pod; given the number of the errand
    /// @param whenDone told of the binding's end, on the engine thread
    Preparation(
            Placed placed,
            List<List<PreBind>> groups,
            PreparingPods preparing,
            AttemptContext context,
            Waiting waiting,
            LongFunction<Message.Outcome> bind,
            Consumer<Message.Outcome> whenDone) {
        this.placed = placed;
        this.groups = groups;
        this.preparing = preparing;
        this.context = context;
        this.waiting = waiting;
        this.bind = bind;
        this.whenDone = whenDone;
        this.begin = placed.attempt().profile().binding().preBindBegins();
    }

    void start() {
        preparing.begin(uid());
        startFrom(0);
    }

    private void startFrom(int group) {
        context.errands()
                .start(
                        "bind " + placed.pod().key(),
                        errand -> run(errand, group),
                        outcome -> {
                            if (outcome instanceof Message.Prepared word) {
                                goOn(word);
                            } else {
                                whenDone.accept(outcome);
                            }
                        });
    }

    private void goOn(Message.Prepared word) {
        int group = word.group();
        var wrote = word.wrote();
        if (wrote == null) {
            new Together(group).start();
        } else {
            settle(
                    groups.get(group).getFirst(),
                    word.setback(),
                    wrote,
                    setback -> {
                        if (setback == null) {
                            startFrom(group + 1);
                        } else {
                            endWith(setback);
                        }
                    });
        }
    }

    private void endWith(Setback setback) {
        context.errands()
                .start("bind " + placed.pod().key(), errand -> end(errand, setback), whenDone);
    }

    /// Engine thread: tells a plugin what it wrote, and waits for what it has to wait for.
    private void settle(
            PreBind plugin,
            @Nullable Setback setback,
            PreBindVerdict.Wrote wrote,
            Consumer<@Nullable Setback> then) {
        var attempt = placed.attempt();
        @Nullable Awaited awaited;
        try {
            awaited = plugin.wrote(attempt.cycle(), placed.pod(), placed.node(), wrote);
        } catch (Throwable broken) {
            then.accept(told(Setback.broken(worded(plugin, broken))));
            return;
        }
        if (setback != null || awaited == null) {
            then.accept(setback);
            return;
        }
        waiting.await(
                uid(), plugin.name(), awaited, why -> then.accept(why == null ? null : told(why)));
    }

    private Setback told(Setback setback) {
        context.log()
                .error(
                        null,
                        "Failed to bind pod",
                        "pod",
                        placed.pod().key(),
                        "err",
                        setback.message());
        return setback;
    }

    private static PluginFailure worded(PreBind plugin, Throwable cause) {
        return PluginFailure.running(Point.PRE_BIND, plugin.name(), cause);
    }

    /// Binding thread: runs groups of one until a larger one comes, or one wrote something.
    private Message.Outcome run(long errand, int from) {
        @Nullable Setback setback = null;
        for (int i = from; i < groups.size() && setback == null; i++) {
            var group = groups.get(i);
            if (group.size() > 1) {
                return new Message.Prepared(errand, i, null, null);
            }
            var ran = run(group.getFirst());
            if (ran.wrote != null) {
                return new Message.Prepared(errand, i, ran.setback, ran.wrote);
            }
            setback = ran.setback;
        }
        return end(errand, setback);
    }

    /// Binding thread: everything is prepared, or nothing will be.
    private Message.Outcome end(long errand, @Nullable Setback setback) {
        @Nullable Setback why = setback;
        if (why == null) {
            var cancelled = preparing.prepared(uid());
            why = cancelled == null ? null : new Setback(false, cancelled);
        }
        preparing.end(uid());
        placed.attempt().profile().binding().preBindEnded(codeOf(why), begin);
        return why == null ? bind.apply(errand) : new Message.BindingFailed(errand, why);
    }

    private static StatusCode codeOf(@Nullable Setback setback) {
        if (setback == null) {
            return StatusCode.SUCCESS;
        }
        return setback.isRejection() ? StatusCode.UNSCHEDULABLE : StatusCode.ERROR;
    }

    /// Binding thread: one plugin.
    private Ran run(PreBind plugin) {
        var attempt = placed.attempt();
        Runnable stop = () -> stop(plugin);
        var before = preparing.starts(uid(), stop);
        if (before != null) {
            return new Ran(new Setback(false, before), null);
        }
        try {
            var verdict =
                    attempt.profile()
                            .binding()
                            .preBind(plugin, attempt.cycle(), placed.pod(), placed.node());
            var wrote = verdict instanceof PreBindVerdict.Wrote written ? written : null;
            var cancelled = preparing.cancelled(uid());
            return new Ran(
                    cancelled == null ? setback(plugin, verdict) : new Setback(false, cancelled),
                    wrote);
        } catch (Throwable broken) {
            var cancelled = preparing.cancelled(uid());
            if (cancelled == null) {
                context.log().error(broken, "Failed to bind pod", "pod", placed.pod().key());
            }
            return new Ran(
                    new Setback(
                            false, cancelled == null ? PluginFailure.textOf(broken) : cancelled),
                    null);
        } finally {
            preparing.ends(uid(), stop);
        }
    }

    private @Nullable Setback setback(PreBind plugin, PreBindVerdict verdict) {
        return switch (verdict) {
            case Pass _ -> null;
            case Refusal refusal ->
                    new Setback(true, new Rejection(plugin.name(), refusal).message());
            case PreBindVerdict.Wrote(_, var problem) ->
                    problem == null
                            ? null
                            : told(
                                    Setback.broken(
                                            worded(plugin, new IllegalStateException(problem))));
        };
    }

    private void stop(PreBind plugin) {
        try {
            plugin.cancelPreBind(placed.attempt().cycle(), placed.pod(), placed.node());
        } catch (Throwable broken) {
            context.log()
                    .error(
                            broken,
                            "Failed to cancel PreBind",
                            "pod",
                            placed.pod().key(),
                            "plugin",
                            plugin.name(),
                            "err",
                            PluginFailure.textOf(broken));
        }
    }

    private String uid() {
        return placed.pod().uid();
    }

    /// One group while it runs. Owned by the engine thread.
    private final class Together {
        private final int index;
        private final List<PreBind> running;
        private @Nullable Setback first;

        // Those that wait come to their end while the first failure is told.
        private boolean isOver;

        Together(int index) {
            this.index = index;
            this.running = new ArrayList<>(groups.get(index));
        }

        void start() {
            for (var plugin : List.copyOf(running)) {
                context.errands()
                        .start(
                                "prepare " + placed.pod().key() + " " + plugin.name(),
                                errand -> {
                                    var ran = run(plugin);
                                    return new Message.Prepared(
                                            errand, index, ran.setback, ran.wrote);
                                },
                                outcome -> ran(plugin, outcome));
            }
        }

        private void ran(PreBind plugin, Message.Outcome outcome) {
            switch (outcome) {
                case Message.Prepared(_, _, var setback, var wrote) -> {
                    if (wrote == null) {
                        ended(plugin, setback);
                    } else {
                        // Who comes to its end after a failure has nothing to wait for any more.
                        var known = setback == null ? first : setback;
                        settle(plugin, known, wrote, why -> ended(plugin, why));
                    }
                }
                case Message.Failed(_, var problem) -> ended(plugin, new Setback(false, problem));
                default -> throw new IllegalStateException("no end of a PreBind: " + outcome);
            }
        }

        private void ended(PreBind plugin, @Nullable Setback setback) {
            running.remove(plugin);
            if (setback != null && first == null) {
                first = setback;
                running.forEach(Preparation.this::stop);
                waiting.cancel(uid(), setback);
            }
            if (running.isEmpty() && !isOver) {
                isOver = true;
                var outcome = first;
                if (outcome == null) {
                    startFrom(index + 1);
                } else {
                    endWith(outcome);
                }
            }
        }
    }
}
