package io.berth.sim.device;

import io.berth.api.model.Kind;
import io.berth.api.model.ResourceClaim;
import io.berth.engine.Engine;
import io.berth.engine.Inspection;
import io.berth.plugins.device.DeviceBook;
import io.berth.plugins.dynamicresources.DynamicResources;
import io.berth.sim.plain.ClaimView;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The claims for devices as a scheduler's own book has them.
public final class BookedClaims implements ClaimView {
    private final Supplier<Engine> scheduler;

    public BookedClaims(Supplier<Engine> scheduler) {
        this.scheduler = scheduler;
    }

    private DeviceBook book() {
        return scheduler.get().profiles().values().stream()
                .flatMap(profile -> profile.plugins().stream())
                .filter(DynamicResources.class::isInstance)
                .map(plugin -> ((DynamicResources) plugin).book())
                .findFirst()
                .orElseThrow();
    }

    @Override
    public @Nullable ResourceClaim find(String namespace, String name) {
        return book().claim(namespace, name);
    }

    @Override
    public Collection<ResourceClaim> all() {
        var book = book();
        return seen().stream()
                .map(claim -> book.claim(claim.namespace(), claim.name()))
                .filter(Objects::nonNull)
                .toList();
    }

    /// As they were seen.
    public Collection<ResourceClaim> seen() {
        return Inspection.of(scheduler.get())
                .objects()
                .of(Kind.RESOURCE_CLAIM, ResourceClaim.class)
                .all();
    }

    @Override
    public Map<String, ResourceClaim> inFlight() {
        return book().inFlight();
    }
}
