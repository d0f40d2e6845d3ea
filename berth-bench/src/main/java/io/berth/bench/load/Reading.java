package io.berth.bench.load;

import io.berth.e2e.ControlPlane;

/// What the meters of a trial show at one moment.
///
/// @param nanos when it was
record Reading(
        long nanos, double schedulerCpuSeconds, double apiServerCpuSeconds, Attempts attempts) {
    /// Before the scheduler starts.
    static Reading atStart(ControlPlane plane) {
        return new Reading(System.nanoTime(), 0, apiServer(plane), Attempts.NONE);
    }

    static Reading of(ControlPlane plane, Contestant.Run scheduler) {
        return new Reading(
                System.nanoTime(), scheduler.cpuSeconds(), apiServer(plane), scheduler.attempts());
    }

    private static double apiServer(ControlPlane plane) {
        return ProcessFacts.of(plane.apiServer().pid()).cpuSeconds();
    }
}
