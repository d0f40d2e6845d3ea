package io.berth.plugins.dynamicresources;

import io.berth.api.device.DeviceClaim;
import io.berth.api.model.ResourceClaim;
import io.berth.plugins.device.DeviceBook;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What can be said about claims before any node is looked at (contract rules DR-6 and DR-7).
final class ClaimCheck {
    private final DeviceBook book;
    private final boolean hasPrioritizedLists;

    ClaimCheck(DeviceBook book, boolean hasPrioritizedLists) {
        this.book = book;
        this.hasPrioritizedLists = hasPrioritizedLists;
    }

    /// Why the pod has to wait; null where it need not.
    ///
    /// @throws IllegalStateException where a claim is not understood, which ends the attempt
    @Nullable String problem(List<ResourceClaim> claims) {
        for (var claim : claims) {
            var allocation = claim.allocation();
            String problem = allocation == null ? unallocated(claim) : null;
            if (problem != null) {
                return problem;
            }
            if (allocation != null
                    && allocation.nodeSelector() != null
                    && !allocation.nodeSelector().isSound()) {
                throw new IllegalStateException(
                        "claim %s: the node selector of its allocation is not understood"
                                .formatted(claim.key()));
            }
        }
        return null;
    }

    private @Nullable String unallocated(ResourceClaim claim) {
        if (book.isInFlight(claim)) {
            return "resource claim " + claim.key() + " is in the process of being allocated";
        }
        for (var request : claim.spec().requests()) {
            String problem = problem(claim, request);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String problem(ResourceClaim claim, DeviceClaim.Request request) {
        String place = "resource claim " + claim.key() + ", request " + request.name() + ": ";
        if (request.exactly() != null) {
            return missingClass(request.name(), request.exactly().deviceClass());
        }
        if (request.firstAvailable().isEmpty()) {
            return place + "unknown request type";
        }
        if (!hasPrioritizedLists) {
            return place + "has subrequests, but the DRAPrioritizedList feature is disabled";
        }
        for (var ask : request.firstAvailable()) {
            String problem = missingClass(request.name() + "/" + ask.name(), ask.deviceClass());
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String missingClass(String request, String deviceClass) {
        if (deviceClass.isEmpty()) {
            throw new IllegalStateException("request " + request + ": unsupported request type");
        }
        return book.deviceClass(deviceClass) == null
                ? "request " + request + ": device class " + deviceClass + " does not exist"
                : null;
    }
}
