package io.berth.e2e;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Lets a test run if a control plane is required.
final class ThoroughCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return RealControlPlaneExtension.required()
                ? enabled(RealControlPlaneExtension.REQUIRE + " is set")
                : disabled("runs in .ci/run: " + RealControlPlaneExtension.REQUIRE + " is not set");
    }
}
