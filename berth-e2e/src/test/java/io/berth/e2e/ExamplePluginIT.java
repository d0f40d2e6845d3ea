package io.berth.e2e;

import io.berth.e2e.fixture.EmbeddedCluster;
import io.berth.e2e.fixture.EmbeddedServer;
import io.berth.e2e.fixture.PackagedScheduler;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// The example plugin on the embedded API server, as on `berth up`.
@PackagedScheduler
@EmbeddedServer
@EnabledIfEnvironmentVariable(
        named = ExamplePluginFacts.JAR,
        matches = ".+",
        disabledReason = "only .ci/run builds the example plugin")
final class ExamplePluginIT extends ExamplePluginFacts {
    ExamplePluginIT(EmbeddedCluster cluster) {
        super(cluster);
    }
}
