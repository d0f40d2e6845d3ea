package io.berth.serving.page;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// One thing that can be well or not. Called by many threads at once.
public interface HealthCheck {
    String name();

    /// Why it is not well; empty if it is. A check may also throw, which says the same.
    Optional<String> problem();

    /// Passes as long as the process answers at all.
    HealthCheck PING = of("ping", Optional::empty);

    static HealthCheck of(String name, Supplier<Optional<String>> problem) {
        return new HealthCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Optional<String> problem() {
                return problem.get();
            }
        };
    }

    /// Fails once the process was asked to stop.
    static HealthCheck shutdown(BooleanSupplier stopping) {
        return failingWhen("shutdown", stopping, "process is shutting down");
    }

    /// Fails until everything that the scheduler watches was listed once.
    static HealthCheck handlersSynced(BooleanSupplier synced) {
        return failingWhen(
                "sched-handler-sync",
                () -> !synced.getAsBoolean(),
                "handlers are not fully synchronized");
    }

    /// Fails until this process, as a candidate of a coordinated election, has seen itself listed.
    static HealthCheck candidateSynced(BooleanSupplier synced) {
        return failingWhen(
                "informer-sync",
                () -> !synced.getAsBoolean(),
                "1 informers not started yet: [*v1beta1.LeaseCandidate]");
    }

    private static HealthCheck failingWhen(String name, BooleanSupplier bad, String reason) {
        return of(name, () -> bad.getAsBoolean() ? Optional.of(reason) : Optional.empty());
    }
}
