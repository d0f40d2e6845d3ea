package io.berth.sim;

import io.berth.api.handle.Log;
import io.berth.sim.invariant.Invariants;
import io.berth.sim.plain.Broken;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The scheduler's log: errors go into the story, and those that tell of a mistake of ours end it.
final class ProcessLog implements Log {
    /// Sentences that no cluster and no plugin can be the cause of.
    private static final Set<String> MISTAKES =
            Set.of(
                    "Discarding the popped pod",
                    "Error getting cluster events for pod",
                    "Scheduler cache AddPod failed",
                    "Scheduler cache UpdatePod failed",
                    "Scheduler cache RemovePod failed",
                    "Scheduler cache ForgetPod failed",
                    "Scheduler cache RemoveNode failed",
                    "QueueingHintFn returns error");

    /// A pod came back that is in the queue already. That may happen to one that is being deleted:
    /// it lost its place before its binding ended (E-71), and any news of it is queued (E-60).
    private static final String ALREADY_QUEUED = "Error occurred";

    /// How talkative the scheduler is in the story; for looking closely at one seed.
    private static final int LEVEL = Integer.getInteger("berth.sim.log", -1);

    private final Consumer<String> story;
    private final Predicate<String> isBeingDeleted;
    private final Invariants invariants;

    /// @param isBeingDeleted asked with the `namespace/name` of a pod
    ProcessLog(Consumer<String> story, Predicate<String> isBeingDeleted, Invariants invariants) {
        this.invariants = invariants;
        this.story = story;
        this.isBeingDeleted = isBeingDeleted;
    }

    @Override
    public boolean isOn(int level) {
        return level <= LEVEL;
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {
        if (isOn(level)) {
            story.accept("log: " + sentence + pairs(keysAndValues));
        }
    }

    private static String pairs(@Nullable Object... keysAndValues) {
        var text = new StringBuilder();
        for (int i = 0; i + 1 < keysAndValues.length; i += 2) {
            text.append(' ').append(keysAndValues[i]).append('=').append(keysAndValues[i + 1]);
        }
        return text.toString();
    }

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        var line = "error: " + sentence + pairs(keysAndValues);
        if (cause != null) {
            line += ": " + cause.getMessage();
        }
        story.accept(line);
        boolean isQueuedTwice =
                sentence.equals(ALREADY_QUEUED)
                        && !isBeingDeleted.test(String.valueOf(keysAndValues[1]));
        if (isQueuedTwice || MISTAKES.contains(sentence)) {
            invariants.broken(new Broken(line));
        }
    }
}
