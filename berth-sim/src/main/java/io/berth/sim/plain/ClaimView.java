package io.berth.sim.plain;

import io.berth.api.model.Kind;
import io.berth.api.model.ResourceClaim;
import io.berth.sim.cluster.ApiServer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The claims for devices as somebody has them in mind.
public interface ClaimView {
    ClaimView NONE =
            new ClaimView() {
                @Override
                public @Nullable ResourceClaim find(String namespace, String name) {
                    return null;
                }

                @Override
                public Collection<ResourceClaim> all() {
                    return List.of();
                }

                @Override
                public Map<String, ResourceClaim> inFlight() {
                    return Map.of();
                }
            };

    @Nullable ResourceClaim find(String namespace, String name);

    Collection<ResourceClaim> all();

    /// Claims by uid for which devices were taken that are not written down yet, with the devices.
    Map<String, ResourceClaim> inFlight();

    /// As they are.
    static ClaimView of(ApiServer server) {
        return new ClaimView() {
            @Override
            public @Nullable ResourceClaim find(String namespace, String name) {
                var stored = server.find(Kind.RESOURCE_CLAIM, namespace + "/" + name);
                return stored == null ? null : (ResourceClaim) stored.object();
            }

            @Override
            public Collection<ResourceClaim> all() {
                return server.list(Kind.RESOURCE_CLAIM).stream()
                        .map(stored -> (ResourceClaim) stored.object())
                        .toList();
            }

            @Override
            public Map<String, ResourceClaim> inFlight() {
                return Map.of();
            }
        };
    }
}
