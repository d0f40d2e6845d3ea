package io.berth.plugins.dynamicresources;

import io.berth.api.handle.Handle;
import io.berth.api.model.ResourceClaim;
import io.berth.api.plugin.Awaited;
import io.berth.plugins.device.DeviceBook;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Waits until the drivers have the devices of a pod ready (contract rule DR-19).
final class ReadyDevices implements Awaited {
    private final Handle handle;
    private final DeviceBook book;
    private final Duration limit;
    private final List<ResourceClaim> claims;
    private final long startMillis;

    ReadyDevices(Handle handle, DeviceBook book, Duration limit, List<ResourceClaim> claims) {
        this.handle = handle;
        this.book = book;
        this.limit = limit;
        this.claims = claims;
        this.startMillis = handle.nowMillis();
    }

    /// Whether there is anything to wait for.
    static boolean areAwaited(List<ResourceClaim> claims) {
        for (var claim : claims) {
            var allocation = claim.allocation();
            if (allocation != null
                    && allocation.results().stream()
                            .anyMatch(result -> !result.bindingConditions().isEmpty())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Duration every() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration limit() {
        return limit;
    }

    @Override
    public String lateMessage() {
        return "device binding timeout: context deadline exceeded";
    }

    @Override
    public boolean hasHappened() {
        boolean isReady;
        try {
            isReady = areReady();
        } catch (IllegalStateException hopeless) {
            tell(String.valueOf(hopeless.getMessage()).contains("timeout") ? "timeout" : "failed");
            throw hopeless;
        }
        if (isReady) {
            tell("success");
        }
        return isReady;
    }

    private void tell(String status) {
        long millis = handle.nowMillis() - startMillis;
        for (var claim : claims) {
            var allocation = claim.allocation();
            if (allocation != null) {
                for (var result : allocation.results()) {
                    handle.metrics()
                            .deviceAwaited(
                                    handle.profileName(),
                                    result.device().driver(),
                                    status,
                                    !result.bindingConditions().isEmpty(),
                                    millis);
                }
            }
        }
    }

    private boolean areReady() {
        for (var each : claims) {
            var claim = book.claim(each.namespace(), each.name());
            if (claim == null) {
                throw new IllegalStateException(
                        "could not find ResourceClaim \"" + each.key() + "\"");
            }
            switch (Readiness.of(claim)) {
                case Readiness.Ready _ -> {}
                case Readiness.Failed(var text) -> throw new IllegalStateException(text);
                case Readiness.Waiting _ -> {
                    var now = Instant.ofEpochMilli(handle.nowMillis());
                    if (Readiness.isLate(claim, now, limit)) {
                        throw new IllegalStateException(
                                "device binding timeout: claim=" + claim.name());
                    }
                    return false;
                }
            }
        }
        return true;
    }
}
