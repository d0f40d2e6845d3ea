package io.berth.kube.lease;

import io.berth.api.handle.Log;
import io.berth.kube.client.ApiException;
import io.berth.kube.connection.ConfigException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Takes part in the election of a leader: waits for the lease, holds it, loses it or lets it go
/// (P-222 to P-226, P-241).
///
/// ```
///             ┌─ held by another, failed ─┐
///             ▼                           │
///          WAITING ───────────────────────┘
///             │ the lease is ours                  ┌─ renewed ─┐
///             └───────────────────────────────► LEADING ◄──────┘
///             │ asked to stop                      │ asked to stop: release           ─► STOPPED
///             └──────────► STOPPED                 │ not renewed in time, nobody seen ─► LAPSED
///                                                  │ taken by another                 ─► LOST
/// ```
///
/// Each of the three ends is final: whoever wants to compete again after a lapse makes a new one.
///
/// A state machine: [#step] does what is due and says how long to wait before the next step.
/// [ElectionThread] drives it in a process, tests drive it on a hand clock. Steps are taken by one
/// thread; other threads may ask for [#phase], [#problem] and [#fence], and [#stop] it.
///
/// Whether somebody else's lease has expired is judged by the time since *we* saw it change, so
/// clocks that differ do no harm (P-224).
public final class LeaderElector {
    /// How long after the end of its lease a leader that still thinks it leads is called unhealthy.
    private static final Duration TOLERANCE = Duration.ofSeconds(20);

    /// A standby looks again this share of a retry period after the lease expires, at most, so that
    /// several do not always collide.
    private static final double EXPIRY_JITTER = 0.05;

    /// Where the election stands.
    public enum Phase {
        WAITING,
        LEADING,
        STOPPED,
        LAPSED,
        LOST;

        /// Whether nothing comes after it.
        boolean isOver() {
            return switch (this) {
                case WAITING, LEADING -> false;
                case STOPPED, LAPSED, LOST -> true;
            };
        }
    }

    private record Observation(LeaseRecord record, long atNanos) {}

    private final ElectionSettings settings;
    private final LeaseLock lock;
    private final ElectionClock clock;
    private final RandomGenerator random;
    private final ElectionObserver observer;
    private final Consumer<String> events;
    private final Log log;
    private final LeaseFence fence;
    private volatile Phase phase = Phase.WAITING;
    private volatile boolean stopping;
    private volatile @Nullable Observation observed;

    // Touched by the stepping thread only.
    private boolean attempted;
    private boolean renewing;
    private long renewUntil;
    private int transitions;

    /// @param events told what to record about the lease: `<identity> became leader`
    public LeaderElector(
            ElectionSettings settings,
            LeaseLock lock,
            ElectionClock clock,
            RandomGenerator random,
            ElectionObserver observer,
            Consumer<String> events,
            Log log) {
        this.settings = settings;
        this.lock = lock;
        this.clock = clock;
        this.random = random;
        this.observer = observer;
        this.events = events;
        this.log = log;
        this.fence = new LeaseFence(settings.times(), clock);
        observer.leads(settings.name(), false);
    }

    public Phase phase() {
        return phase;
    }

    /// What every write of a leader has to pass.
    public LeaseFence fence() {
        return fence;
    }

    /// Who holds the lease, as far as we have seen; empty for nobody.
    public String holder() {
        var seen = observed;
        return seen == null ? "" : seen.record.holder();
    }

    /// The health check `leaderElection`: what is wrong, if anything. A process that hangs while it
    /// thinks it leads is what it finds (P-236); whoever knows that it does not lead is well.
    public Optional<String> problem() {
        var seen = observed;
        if (phase != Phase.LEADING || seen == null || !isOurs(seen.record)) {
            return Optional.empty();
        }
        long limit = settings.times().leaseDuration().plus(TOLERANCE).toNanos();
        return clock.nanos() - seen.atNanos > limit
                ? Optional.of("failed election to renew leadership on lease " + settings.name())
                : Optional.empty();
    }

    /// How long an end of the election may take: a request under way, and the release.
    Duration releaseLimit() {
        return settings.times().requestTimeout().plus(settings.times().renewDeadline());
    }

    /// Has the next step end the election.
    public void stop() {
        stopping = true;
    }

    /// Does what is due.
    ///
    /// @return nanoseconds until the next step
    public long step() {
        return switch (phase) {
            case WAITING -> stopping ? end(Phase.STOPPED) : acquire();
            case LEADING -> stopping ? finish(Phase.STOPPED) : renew();
            case STOPPED, LAPSED, LOST -> Long.MAX_VALUE;
        };
    }

    private long acquire() {
        if (!attempted) {
            attempted = true;
            log.info(0, "Attempting to acquire leader lease...", "lock", lock.describe());
        }
        var attempt = attempt(settings.times().renewDeadline());
        if (!(attempt instanceof Attempt.Won)) {
            log.info(4, "Failed to acquire lease", "lock", lock.describe());
            return attempt instanceof Attempt.Held ? untilNextLook() : jitteredPause();
        }
        phase = Phase.LEADING;
        events.accept(settings.identity() + " became leader");
        observer.leads(settings.name(), true);
        log.info(0, "Successfully acquired lease", "lock", lock.describe());
        return retryNanos();
    }

    private long jitteredPause() {
        return (long) (retryNanos() * (1 + ElectionTimes.JITTER * random.nextDouble()));
    }

    /// While another holds the lease, we look once per retry period, and when it expires. Looking
    /// less often would add to the time that a cluster is without a leader.
    private long untilNextLook() {
        long pause = (long) (retryNanos() * (0.75 + 0.2 * random.nextDouble()));
        var seen = observed;
        if (seen == null) {
            return pause;
        }
        long untilExpiry = seen.atNanos + durationNanos(seen.record) - clock.nanos();
        long jitter = (long) (retryNanos() * EXPIRY_JITTER * random.nextDouble());
        return Math.clamp(untilExpiry + 1_000_000 + jitter, 0, pause);
    }

    private long renew() {
        long now = clock.nanos();
        if (!renewing) {
            renewing = true;
            renewUntil = now + settings.times().renewDeadline().toNanos();
        }
        if (now - renewUntil >= 0) {
            return lost(Phase.LAPSED, "context deadline exceeded");
        }
        var attempt = attempt(Duration.ofNanos(renewUntil - now));
        return switch (attempt) {
            case Attempt.Won _ -> {
                renewing = false;
                log.info(5, "Successfully renewed lease", "lock", lock.describe());
                yield retryNanos();
            }
            case Attempt.Held(var by) -> lost(Phase.LOST, by);
            case Attempt.Gone _ -> lost(Phase.LAPSED, "lease lock not found");
            case Attempt.Failed _ -> {
                long after = clock.nanos();
                long next = Math.min(now + retryNanos(), renewUntil);
                yield Math.max(0, next - after);
            }
        };
    }

    private long lost(Phase last, String why) {
        fence.close();
        observer.leads(settings.name(), false);
        log.info(0, "Failed to renew lease", "lock", lock.describe(), "err", why);
        return finish(last);
    }

    private long finish(Phase last) {
        fence.close();
        if (last == Phase.STOPPED) {
            observer.leads(settings.name(), false);
        }
        boolean taken = release();
        events.accept(settings.identity() + " stopped leading");
        return end(last == Phase.LAPSED && taken ? Phase.LOST : last);
    }

    private long end(Phase last) {
        fence.close();
        phase = last;
        return Long.MAX_VALUE;
    }

    private Attempt attempt(Duration limit) {
        var budget = new Budget(limit);
        try {
            return settings.coordinated() ? renewAssigned(budget) : takeOrRenew(budget);
        } catch (ConfigException unusable) {
            // Credentials cannot be read now; they may be later.
            log.error(unusable, "Error retrieving lease lock", "lock", lock.describe());
            return Attempt.FAILED;
        }
    }

    private Attempt takeOrRenew(Budget budget) {
        var seen = observed;
        if (phase == Phase.LEADING
                && seen != null
                && isOurs(seen.record)
                && isValid(seen)
                && renewBlindly(seen.record, budget)) {
            return Attempt.WON;
        }
        Optional<LeaseRecord> found;
        try {
            found = lock.read(budget.left());
        } catch (ApiException failure) {
            log.error(failure, "Error retrieving lease lock", "lock", lock.describe());
            return Attempt.FAILED;
        }
        if (found.isEmpty()) {
            return recreate(budget);
        }
        var record = found.get();
        observe(record);
        if (phase == Phase.LEADING && !isStillOurs(record)) {
            return new Attempt.Held("lease is held by " + record.holder());
        }
        if (!record.holder().isEmpty() && !isOurs(record) && isValid(observed)) {
            log.info(
                    4,
                    "Lease is held by and has not yet expired",
                    "lock",
                    lock.describe(),
                    "holder",
                    record.holder());
            return new Attempt.Held(record.holder());
        }
        boolean again = isOurs(record);
        if (again) {
            observer.slowPath(settings.name());
        }
        return update(
                again
                        ? record.renewed(settings.times().leaseSeconds(), clock.now())
                        : taken(record.transitions() + 1),
                budget,
                "Failed to update lease");
    }

    /// Renews without reading first, in the hope that nobody else has written: one request instead
    /// of two.
    private boolean renewBlindly(LeaseRecord ours, Budget budget) {
        var record = ours.renewed(settings.times().leaseSeconds(), clock.now());
        var sent = new Sent();
        try {
            lock.update(record, budget.left());
        } catch (ApiException failure) {
            log.info(
                    2,
                    "Failed to update lease optimistically, falling back to slow path",
                    "lock",
                    lock.describe(),
                    "err",
                    failure.getMessage());
            return false;
        }
        won(record, sent);
        return true;
    }

    /// There is no lease. A leader whose time is over cannot know what happened meanwhile.
    private Attempt recreate(Budget budget) {
        if (phase == Phase.LEADING && !fence.isOpen()) {
            return Attempt.GONE;
        }
        var record = taken(0);
        var sent = new Sent();
        try {
            lock.create(record, budget.left());
        } catch (ApiException failure) {
            log.error(failure, "Error initially creating lease lock", "lock", lock.describe());
            return Attempt.FAILED;
        }
        won(record, sent);
        return Attempt.WON;
    }

    /// Coordinated election: the API server gives the lease to one of the candidates, who merely
    /// renew it, until it names somebody else to go on.
    private Attempt renewAssigned(Budget budget) {
        Optional<LeaseRecord> found;
        try {
            found = lock.read(budget.left());
        } catch (ApiException failure) {
            log.error(failure, "Error retrieving lease lock", "lock", lock.describe());
            return Attempt.FAILED;
        }
        if (found.isEmpty()) {
            log.info(0, "Lease lock not found", "lock", lock.describe());
            return Attempt.FAILED;
        }
        var record = found.get();
        observe(record);
        if (!isValid(observed)) {
            log.info(0, "Lease has expired", "lock", lock.describe());
            return Attempt.FAILED;
        }
        if (!isOurs(record)) {
            log.info(
                    6,
                    "Lease is held and has not yet expired",
                    "lock",
                    lock.describe(),
                    "holder",
                    record.holder());
            return new Attempt.Held("lease is held by " + record.holder());
        }
        if (!record.preferredHolder().isEmpty()) {
            log.info(4, "Lease is marked as 'end of term'", "lock", lock.describe());
            return new Attempt.Held("end of term");
        }
        observer.slowPath(settings.name());
        return update(
                record.renewed(settings.times().leaseSeconds(), clock.now()),
                budget,
                "Failed to update lock");
    }

    private Attempt update(LeaseRecord record, Budget budget, String sentenceOnFailure) {
        var sent = new Sent();
        try {
            lock.update(record, budget.left());
        } catch (ApiException failure) {
            log.error(failure, sentenceOnFailure, "lock", lock.describe());
            return Attempt.FAILED;
        }
        won(record, sent);
        return Attempt.WON;
    }

    /// Lets go of the lease where the server still names us as its holder. What we saw last is not
    /// enough to go by: a new leader's lease would be cleared.
    ///
    /// @return whether it says that another has led since we did
    private boolean release() {
        var budget = new Budget(settings.times().renewDeadline());
        while (!budget.isSpent()) {
            try {
                var found = lock.read(budget.left());
                if (found.isEmpty()) {
                    log.info(0, "lease lock not found", "lock", lock.describe());
                    return false;
                }
                if (!isOurs(found.get())) {
                    return !isStillOurs(found.get());
                }
                var released = found.get().released(clock.now());
                lock.update(released, budget.left());
                observed = new Observation(released, clock.nanos());
                return false;
            } catch (ApiException failure) {
                if (failure.code() != 409) {
                    log.error(failure, "Failed to release lease", "lock", lock.describe());
                    return false;
                }
                // A renewal of ours that we had given up on has arrived meanwhile.
                log.info(4, "Conflict when releasing lease, retrying", "lock", lock.describe());
            } catch (ConfigException unusable) {
                log.error(unusable, "error retrieving resource lock", "lock", lock.describe());
                return false;
            }
        }
        return false;
    }

    private void won(LeaseRecord record, Sent sent) {
        observed = new Observation(record, clock.nanos());
        transitions = record.transitions();
        fence.renewed(sent.nanos, sent.millis);
    }

    private void observe(LeaseRecord record) {
        var seen = observed;
        if (seen == null || !seen.record.equals(record)) {
            observed = new Observation(record, clock.nanos());
        }
    }

    private LeaseRecord taken(int transitions) {
        return LeaseRecord.taken(
                settings.identity(), settings.times().leaseSeconds(), clock.now(), transitions);
    }

    private boolean isOurs(LeaseRecord record) {
        return record.holder().equals(settings.identity());
    }

    /// Whether nobody else can have led since we did. An empty holder with our number of changes
    /// was emptied by hand.
    private boolean isStillOurs(LeaseRecord record) {
        return record.transitions() == transitions && (isOurs(record) || record.holder().isEmpty());
    }

    private boolean isValid(@Nullable Observation seen) {
        return seen != null && seen.atNanos + durationNanos(seen.record) - clock.nanos() > 0;
    }

    private static long durationNanos(LeaseRecord record) {
        return Duration.ofSeconds(record.leaseDurationSeconds()).toNanos();
    }

    private long retryNanos() {
        return settings.times().retryPeriod().toNanos();
    }

    /// When a request was sent.
    private final class Sent {
        private final long nanos = clock.nanos();
        private final long millis = clock.now().toEpochMilli();
    }

    /// The time that several requests share.
    private final class Budget {
        private final long until;

        Budget(Duration limit) {
            this.until = clock.nanos() + limit.toNanos();
        }

        boolean isSpent() {
            return until - clock.nanos() <= 0;
        }

        /// For the next request: what is left, but no longer than one request may take.
        Duration left() {
            long most = settings.times().requestTimeout().toNanos();
            return Duration.ofNanos(Math.clamp(until - clock.nanos(), 1_000_000, most));
        }
    }
}
