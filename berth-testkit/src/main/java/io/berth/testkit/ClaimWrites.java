package io.berth.testkit;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.write.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What writes make of resource claims, by the rules of the API server.
public final class ClaimWrites {
    private ClaimWrites() {}

    /// What a write makes of the claim that it is about.
    ///
    /// @param now the claim as it is; null where there is none
    /// @return null where the claim goes
    /// @throws ClusterException where the server refuses: there is none, or it has changed
    public static @Nullable ResourceClaim after(Write.OfClaim write, @Nullable ResourceClaim now) {
        return switch (write) {
            case Write.ProtectClaim(var claim) -> unchanged(claim, now).asProtected();
            case Write.SetClaimStatus(var claim, var wanted) ->
                    unchanged(claim, now)
                            .with(wanted.allocation(), wanted.reservedFor(), wanted.devices());
            case Write.ReleaseClaim(var claim, var consumer) -> {
                var same = same(claim, now);
                var left =
                        same.reservedFor().stream()
                                .filter(each -> !each.uid().equals(consumer))
                                .toList();
                yield same.with(same.allocation(), left, same.devices());
            }
            case Write.DeleteClaim(var claim) -> {
                var _ = same(claim, now);
                yield null;
            }
        };
    }

    /// The claim that a write makes.
    ///
    /// @param number tells it from others of the pod
    public static ResourceClaim made(Write.CreateClaim create, String number, String uid) {
        var pod = create.pod();
        return new ResourceClaim(
                pod.namespace(),
                pod.name() + "-extended-resources-" + number,
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

    /// The pod with the name of the claim that stands for its extended resources.
    ///
    /// @param now the pod as it is
    public static Pod named(Write.NameClaim write, Pod now) {
        var known = now.generatedClaims();
        return now.toBuilder()
                .generatedClaims(
                        new GeneratedClaims(
                                known == null ? List.of() : known.claims(), write.extended()))
                .build();
    }

    /// What is told where a claim does not exist.
    ///
    /// @param key `namespace/name`
    public static ClusterException notFound(String key) {
        return new ClusterException(
                ClusterException.Kind.NOT_FOUND,
                "resourceclaims.resource.k8s.io \"%s\" not found"
                        .formatted(key.substring(key.indexOf('/') + 1)));
    }

    private static ResourceClaim same(ResourceClaim claim, @Nullable ResourceClaim now) {
        if (now == null) {
            throw notFound(claim.key());
        }
        if (!now.uid().equals(claim.uid())) {
            throw conflict(claim);
        }
        return now;
    }

    private static ResourceClaim unchanged(ResourceClaim claim, @Nullable ResourceClaim now) {
        var same = same(claim, now);
        if (!same.resourceVersion().equals(claim.resourceVersion())) {
            throw conflict(claim);
        }
        return same;
    }

    private static ClusterException conflict(ResourceClaim claim) {
        return new ClusterException(
                ClusterException.Kind.CONFLICT,
                "Operation cannot be fulfilled on resourceclaims.resource.k8s.io \"%s\": the object has been modified; please apply your changes to the latest version and try again"
                        .formatted(claim.name()));
    }
}
