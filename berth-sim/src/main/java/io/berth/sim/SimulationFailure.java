package io.berth.sim;

import io.berth.sim.scenario.Scenario;

/// A run that went wrong, with its last lines and the way to see it again.
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1L;
    private static final int LINES = 60;

    private final long seed;

    SimulationFailure(Scenario scenario, boolean isCurious, Chronicle chronicle, Throwable cause) {
        super(
                """
                seed %d: %s
                %s
                %s
                to see it again: %s
                """
                        .formatted(
                                scenario.seed(),
                                cause,
                                scenario,
                                String.join("\n", chronicle.last(LINES)),
                                Simulate.command(scenario, isCurious)),
                cause);
        this.seed = scenario.seed();
    }

    public long seed() {
        return seed;
    }
}
