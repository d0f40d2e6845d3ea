package io.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.sim.scenario.Scenario;
import org.junit.jupiter.api.Test;

/// Some lives in which pods want devices; `simulate --devices` runs as many as are asked for.
class DeviceLivesTest {
    private static final long[] SEEDS = {345, 968, 1488};

    @Test
    void whatMustHoldHoldsAndBeingAskedChangesNothing() {
        for (long seed : SEEDS) {
            var scenario = Scenario.of(seed).withDevices();

            var plain = Simulation.run(scenario, _ -> {});
            var asked = Simulation.run(scenario, true, _ -> {});

            assertThat(asked.checksum()).as("seed %d", seed).isEqualTo(plain.checksum());
        }
    }
}
