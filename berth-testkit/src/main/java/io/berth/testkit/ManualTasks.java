package io.berth.testkit;

import io.berth.engine.port.Tasks;
import java.util.ArrayDeque;
import java.util.Queue;

/// Tasks that run when told to, in the order they were started, on the calling thread.
public final class ManualTasks implements Tasks {
    private record Task(String name, Runnable body) {}

    private final Queue<Task> waiting = new ArrayDeque<>();

    @Override
    public void start(String name, Runnable task) {
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

    public int waiting() {
        return waiting.size();
    }
}
