package io.berth.api.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The resource claims that were made for a pod, as its status tells of them.
///
/// @param claims one for each claim of the spec that is made from a template, as
///   `status.resourceClaimStatuses` has them
/// @param extended the claim for extended resources that devices stand for; null where there is
///   none
public record GeneratedClaims(List<Generated> claims, @Nullable Extended extended) {
    /// @param name of the claim in the pod's spec
    /// @param claimName of the object; null where none was needed
    public record Generated(String name, @Nullable String claimName) {}

    public record Extended(String claimName, List<Mapping> mappings) {
        public Extended {
            mappings = List.copyOf(mappings);
        }
    }

    /// Which request of the claim stands for which resource of a container.
    public record Mapping(String container, String resource, String request) {}

    public GeneratedClaims {
        claims = List.copyOf(claims);
    }
}
