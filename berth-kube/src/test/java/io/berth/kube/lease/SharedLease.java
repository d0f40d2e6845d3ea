package io.berth.kube.lease;

import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A lease in memory that several processes compete for, each through a lock of its own, which can
/// be cut off or slowed down. Thread-safe.
final class SharedLease {
    final TestClock clock;
    volatile @Nullable LeaseRecord record;
    private int version;

    SharedLease(TestClock clock) {
        this.clock = clock;
    }

    /// The record, where there must be one.
    synchronized LeaseRecord held() {
        return Objects.requireNonNull(record);
    }

    synchronized void set(@Nullable LeaseRecord other) {
        record = other;
        version++;
    }

    /// One process's way to the lease.
    final class Lock implements LeaseLock {
        final List<String> calls = new CopyOnWriteArrayList<>();
        volatile boolean down;
        Duration slow = Duration.ZERO;
        @Nullable Runnable beforeUpdate;

        /// Writes are carried out, but their answers are lost.
        boolean deaf;

        private int known = -1;

        @Override
        public Optional<LeaseRecord> read(Duration limit) {
            pass("read", limit);
            synchronized (SharedLease.this) {
                known = version;
                return Optional.ofNullable(record);
            }
        }

        @Override
        public void create(LeaseRecord made, Duration limit) {
            pass("create", limit);
            synchronized (SharedLease.this) {
                if (record != null) {
                    throw refused(409, "AlreadyExists");
                }
                write(made);
            }
        }

        @Override
        public void update(LeaseRecord changed, Duration limit) {
            if (beforeUpdate != null) {
                beforeUpdate.run();
            }
            pass("update", limit);
            synchronized (SharedLease.this) {
                if (record == null) {
                    throw refused(404, "NotFound");
                }
                if (known != version) {
                    throw refused(409, "Conflict");
                }
                write(changed);
            }
        }

        private void write(LeaseRecord made) {
            set(made);
            if (deaf) {
                throw new ApiException(ApiException.Failure.TIMEOUT, "no answer", null);
            }
            known = version;
        }

        private void pass(String call, Duration limit) {
            calls.add(call);
            if (down) {
                throw new ApiException(ApiException.Failure.UNREACHABLE, "refused", null);
            }
            if (slow.compareTo(limit) > 0) {
                clock.advance(limit);
                throw new ApiException(ApiException.Failure.TIMEOUT, "too slow", null);
            }
            clock.advance(slow);
        }

        @Override
        public String describe() {
            return "kube-system/kube-scheduler";
        }
    }

    private static ApiException refused(int code, String reason) {
        return new ApiException(new ApiStatus(code, reason, reason, List.of(), 0));
    }
}
