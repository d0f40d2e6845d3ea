package io.berth.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/// One field of a struct and the rules by which patches merge it.
///
/// @param required whether the API documents call it required
/// @param patch how a strategic merge patch treats it
/// @param listKind how server-side apply treats it, if it is a list
/// @param listKeys the fields that identify an element of a [ListKind#MAP] list
/// @param atomicMap whether server-side apply replaces it whole, if it is a map or struct
/// @param defaultValue what an absent value means, where the schema says so
public record Field(
        String name,
        SchemaType type,
        boolean required,
        Patch patch,
        ListKind listKind,
        List<String> listKeys,
        boolean atomicMap,
        Optional<JsonNode> defaultValue) {

    public Field {
        listKeys = List.copyOf(listKeys);
    }

    /// How server-side apply merges a list.
    public enum ListKind {
        /// One value with one owner.
        ATOMIC,
        /// A set of scalars, each with its owners.
        SET,
        /// Elements found by their keys, each with its owners.
        MAP
    }

    /// The strategic-merge rule.
    ///
    /// @param merge lists: elements are merged instead of replaced
    /// @param retainKeys a patch may list, in `$retainKeys`, the keys that survive
    /// @param key lists of objects: the field that identifies an element, empty for primitives
    public record Patch(boolean merge, boolean retainKeys, String key) {
        /// Lists are replaced, structs merged.
        public static final Patch PLAIN = new Patch(false, false, "");

        /// The value of `x-kubernetes-patch-strategy`, empty for the plain rule.
        public String strategy() {
            if (merge) {
                return retainKeys ? "merge,retainKeys" : "merge";
            }
            return retainKeys ? "retainKeys" : "";
        }
    }
}
