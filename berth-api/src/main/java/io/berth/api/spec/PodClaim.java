package io.berth.api.spec;

import org.jspecify.annotations.Nullable;

/// A claim for devices that a pod refers to: one that exists, or one that is made for the pod from
/// a template. With neither it is of a future version.
///
/// @param name as the pod's containers refer to it
public record PodClaim(String name, @Nullable String claimName, @Nullable String templateName) {
    public static PodClaim of(String name, String claimName) {
        return new PodClaim(name, claimName, null);
    }

    public static PodClaim fromTemplate(String name, String templateName) {
        return new PodClaim(name, null, templateName);
    }
}
