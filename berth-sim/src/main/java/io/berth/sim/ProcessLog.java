package io.berth.sim;

import io.berth.api.plugin.Log;
import io.berth.sim.invariant.Broken;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The scheduler's log: errors go into the story, and those that tell of a mistake of ours end it.
final class ProcessLog implements Log {
    /// Sentences that no cluster and no plugin can be the cause of.
    private static final Set<String> MISTAKES =
            Set.of(
                    "Discarding the popped pod",
                    "Error getting cluster events for pod",
                    "Error occurred",
                    "Scheduler cache AddPod failed",
                    "Scheduler cache UpdatePod failed",
                    "Scheduler cache RemovePod failed",
                    "Scheduler cache ForgetPod failed",
                    "Scheduler cache RemoveNode failed",
                    "QueueingHintFn returns error");

    private final Consumer<String> story;

    ProcessLog(Consumer<String> story) {
        this.story = story;
    }

    @Override
    public boolean isOn(int level) {
        return false;
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {}

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        var line = new StringBuilder("error: ").append(sentence);
        for (int i = 0; i + 1 < keysAndValues.length; i += 2) {
            line.append(' ').append(keysAndValues[i]).append('=').append(keysAndValues[i + 1]);
        }
        if (cause != null) {
            line.append(": ").append(cause.getMessage());
        }
        story.accept(line.toString());
        if (MISTAKES.contains(sentence)) {
            throw new Broken(line.toString());
        }
    }
}
