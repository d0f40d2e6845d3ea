package io.berth.serving.auth;

/// A right to do something to objects of the API, as roles give it. The API server accepts rights
/// for objects that it does not have, so they may stand for what only this port has.
///
/// @param group empty for the core
/// @param subresource empty for the object itself
/// @param namespace empty for all, and for objects that are in none
public record ResourceRight(
        String verb, String group, String resource, String subresource, String namespace) {
    /// A right in the core group.
    public static ResourceRight core(String verb, String resource, String namespace) {
        return new ResourceRight(verb, "", resource, "", namespace);
    }

    public ResourceRight of(String part) {
        return new ResourceRight(verb, group, resource, part, namespace);
    }
}
