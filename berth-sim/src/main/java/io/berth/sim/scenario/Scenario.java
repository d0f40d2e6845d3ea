package io.berth.sim.scenario;

import io.berth.sim.cluster.WatchStream.StreamFaults;
import io.berth.sim.cluster.WriteFaults.StatusFaults;
import io.berth.sim.time.Chance;

/// What a run is like, drawn from its seed.
///
/// @param isStrict nothing happens that could overfill a node behind the scheduler's back, so no
///   node may ever be overfull
/// @param nodes how many there are at first
/// @param mostPods beyond which none are created
/// @param actMillis the mean time between two acts of the workload
/// @param stormMillis how long the workload goes on before each calm
/// @param storms how many there are
/// @param writeFaults how many of the writes fail
/// @param mishaps how often a plugin breaks when it is called; 0: no plugin that breaks is enabled
/// @param engineMillis how long a step of the engine takes at most
/// @param hasDoorkeeper whether some pods wait for a permit
/// @param hasProcessFaults whether the scheduler is paused, restarted and replaced
/// @param hasPreemption whether there are priorities
/// @param hasExtenders whether services outside take part, slow and failing ones
/// @param hasImages whether nodes have container images, other ones from time to time
/// @param hasMetrics whether somebody counts and times; this changes nothing else
/// @param hasVolumes whether pods have claims, with volumes in zones and limits of their drivers
/// @param hasDevices whether pods want devices
/// @param bindingLine while so many bindings are under way, no further pod is tried
/// @param pressure what presses on the scheduler from outside
public record Scenario(
        long seed,
        boolean isStrict,
        int nodes,
        int mostPods,
        int actMillis,
        int stormMillis,
        int storms,
        StreamFaults streams,
        double writeFaults,
        double mishaps,
        int engineMillis,
        boolean hasDoorkeeper,
        boolean hasProcessFaults,
        boolean hasPreemption,
        boolean hasExtenders,
        boolean hasImages,
        boolean hasMetrics,
        boolean hasVolumes,
        boolean hasDevices,
        int bindingLine,
        Pressure pressure) {
    /// What presses on the scheduler from outside.
    ///
    /// @param statuses what happens to status writes
    /// @param throttling how many of the writes make the server refuse all of them for a while
    /// @param mailbox how much news fits in it
    /// @param hasPorter whether a permit plugin answers when it likes
    /// @param hasErrors whether plugins that break do so with errors too
    /// @param bindSeconds how long a pod waits for its volumes
    /// @param noThreads how many tasks cannot be started
    public record Pressure(
            StatusFaults statuses,
            double throttling,
            int mailbox,
            boolean hasPorter,
            boolean hasErrors,
            int bindSeconds,
            double noThreads) {
        private static final long SALT = 0x9B05688C2B3E6C1FL;

        static Pressure of(long seed) {
            var chance = new Chance(seed ^ SALT);
            return new Pressure(
                    new StatusFaults(chance.oneOf(0, 0, 1500, 8000), chance.oneOf(0.0, 0.0, 0.05)),
                    chance.oneOf(0.0, 0.0, 0.02),
                    chance.oneOf(SMALLEST_MAILBOX, 16, 10_000),
                    chance.happens(0.4),
                    chance.happens(0.5),
                    chance.oneOf(600, 600, 10, 2),
                    chance.oneOf(0.0, 0.0, 0.02));
        }
    }

    /// One change has this much to say at most: a pod is gone and there is another of its name, and
    /// both are told twice.
    public static final int SMALLEST_MAILBOX = 4;

    /// Of their own chance, so that a run stays as it was without them.
    private static final long IMAGES_SALT = 0x3C6EF372FE94F82BL;

    private static final long METRICS_SALT = 0x6A09E667F3BCC909L;
    private static final long VOLUMES_SALT = 0x4CF5AD432745937FL;
    private static final long DEVICES_SALT = 0x1F83D9ABFB41BD6BL;

    /// Devices make a life several times as long; more of them are lived by hand (`--devices`).
    private static final long LAST_WITH_DEVICES = 100;

    private static final long LINE_SALT = 0x510E527FADE682D1L;

    public static Scenario of(long seed) {
        var chance = new Chance(seed);
        return new Scenario(
                seed,
                chance.happens(0.25),
                chance.between(3, 12),
                chance.between(5, 60),
                chance.between(60, 500),
                chance.between(8_000, 14_000),
                chance.between(3, 4),
                new StreamFaults(
                        chance.oneOf(0, 5, 50, 300),
                        chance.oneOf(50, 500, 4000),
                        chance.oneOf(0.0, 0.05)),
                chance.oneOf(0.0, 0.02, 0.1, 0.3),
                chance.oneOf(0.0, 0.0, 0.002, 0.02),
                chance.oneOf(0, 0, 5, 40),
                chance.happens(0.4),
                chance.happens(0.4),
                chance.happens(0.7),
                chance.happens(0.3),
                new Chance(seed ^ IMAGES_SALT).happens(0.4),
                new Chance(seed ^ METRICS_SALT).happens(0.5),
                new Chance(seed ^ VOLUMES_SALT).happens(0.34),
                seed <= LAST_WITH_DEVICES && new Chance(seed ^ DEVICES_SALT).happens(0.25),
                new Chance(seed ^ LINE_SALT).oneOf(1, 3, 100, 100),
                Pressure.of(seed));
    }

    /// The same run, looked at or not.
    public Scenario withMetrics(boolean are) {
        return with(are, hasVolumes, hasDevices);
    }

    /// The same, in which pods have claims.
    public Scenario withVolumes() {
        return with(hasMetrics, true, hasDevices);
    }

    /// The same, in which pods want devices besides.
    public Scenario withDevices() {
        return with(hasMetrics, hasVolumes, true);
    }

    private Scenario with(boolean metrics, boolean volumes, boolean devices) {
        return new Scenario(
                seed,
                isStrict,
                nodes,
                mostPods,
                actMillis,
                stormMillis,
                storms,
                streams,
                writeFaults,
                mishaps,
                engineMillis,
                hasDoorkeeper,
                hasProcessFaults,
                hasPreemption,
                hasExtenders,
                hasImages,
                metrics,
                volumes,
                devices,
                bindingLine,
                pressure);
    }
}
