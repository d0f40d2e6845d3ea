package io.berth.testkit;

import io.berth.engine.port.Tasks;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Tasks that run when told to, in the order they were started, on the calling thread.
public final class ManualTasks implements Tasks {
    private record Task(String name, Runnable body) {}

    private final Queue<Task> waiting = new ArrayDeque<>();
    private @Nullable Error refusal;

    @Override
    public void start(String name, Runnable task) {
        if (refusal != null) {
            throw refusal;
        }
        waiting.add(new Task(name, task));
    }

    /// Runs the oldest task.
    ///
    /// @return false where there was none
    public boolean runOne() {
        var task = waiting.poll();
        if (task == null) {
            return false;
        }
        task.body.run();
        return true;
    }

    /// Runs the oldest task whose name begins like this, before others that are older.
    ///
    /// @return false where there was none
    public boolean runOne(String beginning) {
        for (var tasks = waiting.iterator(); tasks.hasNext(); ) {
            var task = tasks.next();
            if (task.name.startsWith(beginning)) {
                tasks.remove();
                task.body.run();
                return true;
            }
        }
        return false;
    }

    /// Starts no further task, as a machine that has no threads left.
    public void refuse(Error with) {
        refusal = with;
    }

    /// Starts tasks again.
    public void accept() {
        refusal = null;
    }

    public int waiting() {
        return waiting.size();
    }
}
