package io.berth.kube.watch;

import java.time.Duration;

/// How long a watch waits for what; the defaults are client-go's.
///
/// @param firstBackoff the pause after the first failure; each further one doubles it
/// @param maxBackoff where doubling ends; jitter may add as much again
/// @param healthyAfter a time without failure after which the pauses start over
/// @param minWatch the shortest time that a watch asks the server for; the longest is twice that
/// @param slack how long the end of a watch may be overdue before the connection is cut
/// @param initialSilence how long the server may be silent before the first objects are complete
public record WatchTimes(
        Duration firstBackoff,
        Duration maxBackoff,
        Duration healthyAfter,
        Duration minWatch,
        Duration slack,
        Duration initialSilence) {
    public static final WatchTimes DEFAULT =
            new WatchTimes(
                    Duration.ofMillis(800),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(30));
}
