package io.berth.engine.cycle;

import io.berth.api.handle.Log;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.message.Message;
import io.berth.engine.port.Tasks;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Work that may block, done on threads of its own; what became of it comes back as a message.
///
/// ```
///   engine thread      start ──► number ─────────────────────► follow-up
///   task                           └─► work ──► outcome ──┘
/// ```
///
/// Errands are numbered in the order in which the engine starts them, so an outcome that was kept
/// finds its follow-up in another engine that took the same decisions. Whatever goes wrong, even
/// with the start of a thread, there is an outcome. Owned by the engine thread, except where noted.
public final class Errands {
    private final Tasks tasks;
    private final Consumer<Message> mailbox;
    private final Log log;
    private final Map<Long, Consumer<Message.Outcome>> open = new HashMap<>();
    private long last;

    /// Work to be done on a thread of its own.
    interface Work {
        /// @param errand the number for the outcome
        Message.Outcome run(long errand);
    }

    public Errands(Tasks tasks, Consumer<Message> mailbox, Log log) {
        this.tasks = tasks;
        this.mailbox = mailbox;
        this.log = log;
    }

    /// @param then told of the outcome, on the engine thread; of `Failed` too
    void start(String name, Work work, Consumer<Message.Outcome> then) {
        long errand = ++last;
        open.put(errand, then);
        try {
            tasks.start(name, () -> mailbox.accept(outcome(errand, name, work)));
        } catch (Throwable refused) {
            mailbox.accept(failed(errand, name, refused));
        }
    }

    /// On the errand's own thread.
    private Message.Outcome outcome(long errand, String name, Work work) {
        try {
            return work.run(errand);
        } catch (Throwable broken) {
            return failed(errand, name, broken);
        }
    }

    private Message.Failed failed(long errand, String name, Throwable cause) {
        log.error(cause, "Task failed", "task", name);
        return new Message.Failed(errand, PluginFailure.textOf(cause));
    }

    /// An errand has come to its end; only the first word on it counts.
    public void ended(Message.Outcome outcome) {
        var then = open.remove(outcome.errand());
        if (then != null) {
            then.accept(outcome);
        }
    }
}
