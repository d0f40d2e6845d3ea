package io.berth.engine.cycle;

import io.berth.api.plugin.PreBind;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.port.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Prepares one binding: runs the groups of PreBind plugins one after another, the plugins of a
/// group side by side (rule E-133).
///
/// ```
///  engine thread                          binding threads
///  run ──────────────────────────────────► single plugins, inline, one after another ──► end
///   ▲                                        │ a group of several comes next
///   │                            ┌───────────┘
///   │  each its own task ◄───────┘
///   │   └────────────────────────────────► plugin ┐
///   │   └────────────────────────────────► plugin ┤ the first failure stops the others
///   └── all have come to their end ◄──────────────┘
/// ```
///
/// No thread waits for another, so the same code runs in virtual time.
final class Preparation {
    private final Placed placed;
    private final List<List<PreBind>> groups;
    private final PreparingPods preparing;
    private final Workplace at;
    private final Consumer<@Nullable Failure> whenDone;
    private final long begin;

    /// @param whenDone told on a binding thread: null where everything is prepared
    Preparation(
            Placed placed,
            List<List<PreBind>> groups,
            PreparingPods preparing,
            Workplace at,
            Consumer<@Nullable Failure> whenDone) {
        this.placed = placed;
        this.groups = groups;
        this.preparing = preparing;
        this.at = at;
        this.whenDone = whenDone;
        this.begin = groups.isEmpty() ? 0 : placed.attempt().profile().binding().preBindBegins();
    }

    /// Engine thread.
    void start() {
        if (!groups.isEmpty()) {
            preparing.begin(uid());
        }
        startFrom(0);
    }

    private void startFrom(int group) {
        at.tasks().start("bind " + placed.pod().key(), () -> run(group));
    }

    /// Binding thread: runs groups of one until a larger one comes.
    private void run(int from) {
        @Nullable Failure failure = null;
        for (int i = from; i < groups.size() && failure == null; i++) {
            var group = groups.get(i);
            if (group.size() > 1) {
                int index = i;
                at.onEngine().execute(() -> new Together(index).start());
                return;
            }
            var plugin = group.getFirst();
            failure = run(plugin, () -> stop(plugin));
        }
        end(failure);
    }

    /// Binding thread.
    private void end(@Nullable Failure failure) {
        @Nullable Failure outcome = failure;
        if (!groups.isEmpty()) {
            if (outcome == null) {
                var cancelled = preparing.prepared(uid());
                outcome = cancelled == null ? null : Failure.broken(cancelled);
            }
            preparing.end(uid());
        }
        if (groups.isEmpty()) {
            placed.attempt().profile().binding().nothingToPreBind();
        } else {
            placed.attempt().profile().binding().preBindEnded(codeOf(outcome), begin);
        }
        whenDone.accept(outcome);
    }

    private static StatusCode codeOf(@Nullable Failure failure) {
        if (failure == null) {
            return StatusCode.SUCCESS;
        }
        return failure.isRejection() ? StatusCode.UNSCHEDULABLE : StatusCode.ERROR;
    }

    /// Binding thread: one plugin; null where it did its work.
    private @Nullable Failure run(PreBind plugin, Runnable stop) {
        var attempt = placed.attempt();
        var before = preparing.starts(uid(), stop);
        if (before != null) {
            return Failure.broken(before);
        }
        try {
            Rejection refused =
                    attempt.profile()
                            .binding()
                            .preBind(plugin, attempt.cycle(), placed.pod(), placed.node());
            var cancelled = preparing.cancelled(uid());
            if (cancelled != null) {
                return Failure.broken(cancelled);
            }
            return refused == null ? null : Failure.refusedBinding(refused);
        } catch (RuntimeException | LinkageError | StackOverflowError broken) {
            var cancelled = preparing.cancelled(uid());
            if (cancelled == null) {
                at.log().error(broken, "Failed to bind pod", "pod", placed.pod().key());
            }
            return cancelled == null ? Failure.broken(broken) : Failure.broken(cancelled);
        } finally {
            preparing.ends(uid(), stop);
        }
    }

    private void stop(PreBind plugin) {
        try {
            plugin.cancelPreBind(placed.attempt().cycle(), placed.pod(), placed.node());
        } catch (RuntimeException | LinkageError broken) {
            at.log()
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
        private @Nullable Failure first;

        Together(int index) {
            this.index = index;
            this.running = new ArrayList<>(groups.get(index));
        }

        void start() {
            for (var plugin : List.copyOf(running)) {
                at.tasks()
                        .start(
                                "prepare " + placed.pod().key() + " " + plugin.name(),
                                () -> {
                                    var failure = run(plugin, () -> Preparation.this.stop(plugin));
                                    at.onEngine().execute(() -> ended(plugin, failure));
                                });
            }
        }

        private void ended(PreBind plugin, @Nullable Failure failure) {
            running.remove(plugin);
            if (failure != null && first == null) {
                first = failure;
                running.forEach(Preparation.this::stop);
            }
            if (running.isEmpty()) {
                var outcome = first;
                if (outcome == null) {
                    startFrom(index + 1);
                } else {
                    // What comes next may block, so it is no work for the engine thread.
                    at.tasks().start("bind " + placed.pod().key(), () -> end(outcome));
                }
            }
        }
    }
}
