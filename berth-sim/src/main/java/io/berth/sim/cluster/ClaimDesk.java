package io.berth.sim.cluster;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Kind;
import io.berth.api.model.Owner;
import io.berth.api.model.ResourceClaim;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import java.util.List;

/// Where schedulers write down who has which devices.
final class ClaimDesk {
    private final ApiServer server;

    ClaimDesk(ApiServer server) {
        this.server = server;
    }

    Receipt apply(Write.OfDevices write) {
        return switch (write) {
            case Write.ProtectClaim(var claim) -> put(claim, unchanged(claim).asProtected());
            case Write.SetClaimStatus(var claim, var wanted) ->
                    put(
                            claim,
                            unchanged(claim)
                                    .with(
                                            wanted.allocation(),
                                            wanted.reservedFor(),
                                            wanted.devices()));
            case Write.ReleaseClaim(var claim, var consumer) -> {
                var now = same(claim);
                var left =
                        now.reservedFor().stream()
                                .filter(each -> !each.uid().equals(consumer))
                                .toList();
                yield put(claim, now.with(now.allocation(), left, now.devices()));
            }
            case Write.CreateClaim create -> put(made(create));
            case Write.DeleteClaim(var claim) -> {
                server.remove(Kind.RESOURCE_CLAIM, same(claim).key());
                yield Receipt.SENT;
            }
            case Write.NameClaim(var pod, var extended) -> {
                var now = server.existing(pod.key(), pod.uid());
                var before = now.generatedClaims();
                var claims =
                        before == null ? List.<GeneratedClaims.Generated>of() : before.claims();
                server.put(
                        now.toBuilder()
                                .generatedClaims(new GeneratedClaims(claims, extended))
                                .build());
                yield Receipt.SENT;
            }
        };
    }

    /// What changes nothing is no change.
    private Receipt put(ResourceClaim known, ResourceClaim wanted) {
        var now = same(known);
        return wanted.equals(now) ? Receipt.of(now, now.resourceVersion()) : put(wanted);
    }

    private Receipt put(ResourceClaim wanted) {
        server.put(wanted);
        var now = find(wanted.key());
        return Receipt.of(now, now.resourceVersion());
    }

    private ResourceClaim made(Write.CreateClaim create) {
        var pod = create.pod();
        var uid = server.newUid();
        return new ResourceClaim(
                pod.namespace(),
                pod.name() + "-extended-resources-" + uid,
                uid,
                "",
                new Owner("v1", "Pod", pod.name(), pod.uid()),
                false,
                false,
                true,
                create.spec(),
                null,
                List.of(),
                List.of());
    }

    private ResourceClaim find(String key) {
        var stored = server.find(Kind.RESOURCE_CLAIM, key);
        if (stored == null) {
            throw new ClusterException(
                    ClusterException.Kind.NOT_FOUND, "resourceclaims \"" + key + "\" not found");
        }
        return (ResourceClaim) stored.object();
    }

    private ResourceClaim same(ResourceClaim claim) {
        var now = find(claim.key());
        if (!now.uid().equals(claim.uid())) {
            throw conflict(claim);
        }
        return now;
    }

    private ResourceClaim unchanged(ResourceClaim claim) {
        var now = same(claim);
        if (!now.resourceVersion().equals(claim.resourceVersion())) {
            throw conflict(claim);
        }
        return now;
    }

    private static ClusterException conflict(ResourceClaim claim) {
        return new ClusterException(
                ClusterException.Kind.CONFLICT,
                "Operation cannot be fulfilled on resourceclaims \"" + claim.key() + "\"");
    }
}
