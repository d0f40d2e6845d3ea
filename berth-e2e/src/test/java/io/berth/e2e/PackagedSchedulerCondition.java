package io.berth.e2e;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Lets a test run if the launcher is there.
final class PackagedSchedulerCondition implements ExecutionCondition {
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (SchedulerProgram.berth().isPresent()) {
            return enabled("the launcher is there");
        }
        String reason = "there is no launcher " + Checkout.root().resolve("berth");
        if (TOLD.compareAndSet(false, true)) {
            System.err.println("Tests of the packaged scheduler are skipped: " + reason);
        }
        return disabled(reason);
    }
}
