package io.berth.plugins.dynamicresources;

import io.berth.api.model.GeneratedClaims.Generated;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.PodClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The claims that a pod refers to, or why it has to wait for them (contract rule DR-2).
sealed interface PodClaims {
    /// All that there are, in the order of the spec.
    record Found(List<ResourceClaim> claims) implements PodClaims {
        public Found {
            claims = List.copyOf(claims);
        }
    }

    /// @param text what users read
    record Missing(String text) implements PodClaims {}

    /// @param finder of a claim, by namespace and name; null where there is none
    static PodClaims of(Pod pod, BiFunction<String, String, @Nullable ResourceClaim> finder) {
        var found = new ArrayList<ResourceClaim>();
        for (var reference : pod.spec().resourceClaims()) {
            String name = reference.claimName();
            if (name == null) {
                if (reference.templateName() == null) {
                    return new Missing(
                            "pod \"%s\", spec.resourceClaim \"%s\": none of the supported fields are set"
                                    .formatted(pod.key(), reference.name()));
                }
                var generated = generated(pod, reference);
                if (generated == null) {
                    return new Missing(
                            "pod \"%s\": ResourceClaim not created yet".formatted(pod.key()));
                }
                if (generated.claimName() == null) {
                    continue;
                }
                name = generated.claimName();
            }
            var claim = finder.apply(pod.namespace(), name);
            if (claim == null) {
                return new Missing(
                        "could not find ResourceClaim \"%s/%s\"".formatted(pod.namespace(), name));
            }
            if (claim.isTerminating()) {
                return new Missing("resourceclaim \"%s\" is being deleted".formatted(name));
            }
            if (reference.claimName() == null && !isOwnedBy(claim, pod)) {
                return new Missing(
                        "ResourceClaim %s was not created for Pod %s (Pod is not owner)"
                                .formatted(claim.key(), pod.key()));
            }
            found.add(claim);
        }
        return new Found(found);
    }

    /// Whether the claim has a name that the pod refers to.
    static boolean mayUse(Pod pod, ResourceClaim claim) {
        if (!pod.namespace().equals(claim.namespace())) {
            return false;
        }
        for (var reference : pod.spec().resourceClaims()) {
            String name = reference.claimName();
            if (name == null) {
                var generated = generated(pod, reference);
                name = generated == null ? null : generated.claimName();
            }
            if (claim.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Generated generated(Pod pod, PodClaim reference) {
        var all = pod.generatedClaims();
        if (all != null) {
            for (var each : all.claims()) {
                if (each.name().equals(reference.name())) {
                    return each;
                }
            }
        }
        return null;
    }

    private static boolean isOwnedBy(ResourceClaim claim, Pod pod) {
        return claim.controller() != null && claim.controller().uid().equals(pod.uid());
    }
}
