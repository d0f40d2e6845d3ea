package io.berth.e2e;

import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// The example plugin on a real kube-apiserver, which also asks for its rights.
@PackagedScheduler
@RealControlPlane
@EnabledIfEnvironmentVariable(
        named = ExamplePluginFacts.JAR,
        matches = ".+",
        disabledReason = "only .ci/run builds the example plugin")
final class RealExamplePluginIT extends ExamplePluginFacts {
    RealExamplePluginIT(ControlPlane plane) {
        super(plane);
    }
}
