package io.berth.apiserver.resource;

import java.util.List;

/// One served resource: its names, its scope, and the subresources it answers.
///
/// @param group the API group, empty for the core group
/// @param plural the name in URLs, such as `pods`
/// @param custom whether a definition of some client made it; such a kind follows none of the rules
///   of the kinds that every server has, whatever its name
public record ResourceType(
        String group,
        String version,
        String kind,
        String plural,
        String singular,
        boolean namespaced,
        List<String> shortNames,
        List<String> categories,
        List<String> subresources,
        boolean custom) {

    public ResourceType {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        subresources = List.copyOf(subresources);
    }

    static ResourceType cluster(String group, String version, String kind, String plural) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                kind.toLowerCase(java.util.Locale.ROOT),
                false,
                List.of(),
                List.of(),
                List.of(),
                false);
    }

    static ResourceType namespaced(String group, String version, String kind, String plural) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                kind.toLowerCase(java.util.Locale.ROOT),
                true,
                List.of(),
                List.of(),
                List.of(),
                false);
    }

    ResourceType shortNames(String... names) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                singular,
                namespaced,
                List.of(names),
                categories,
                subresources,
                custom);
    }

    ResourceType categories(String... names) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                singular,
                namespaced,
                shortNames,
                List.of(names),
                subresources,
                custom);
    }

    ResourceType subresources(String... names) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                singular,
                namespaced,
                shortNames,
                categories,
                List.of(names),
                custom);
    }

    /// The kind whose rules hold for this type; empty for custom ones, which have none.
    public String builtInKind() {
        return custom ? "" : kind;
    }

    /// `v1` for the core group, `group/version` otherwise: what objects carry as `apiVersion`.
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /// `pods`, `leases.coordination.k8s.io`: the name in `Status` messages.
    public String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public boolean hasSubresource(String name) {
        return subresources.contains(name);
    }
}
