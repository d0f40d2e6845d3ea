package io.berth.api.relax;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One step of changing an object's JSON, as in a JSON Patch (RFC 6902).
///
/// @param path a JSON pointer from the object's root; empty where the place has no fixed path, so
///   that no patch can be made of the edit
/// @param from what was there, for readers; null where nothing was, or where it is long
/// @param to what is to be there: a text, number, truth, list or map of these; null to remove
public record Edit(Op op, String path, @Nullable Object from, @Nullable Object to) {
    /// What is done at the path.
    public enum Op {
        ADD,
        REPLACE,
        REMOVE
    }

    public static Edit add(String path, Object to) {
        return new Edit(Op.ADD, path, null, to);
    }

    public static Edit replace(String path, Object from, Object to) {
        return new Edit(Op.REPLACE, path, from, to);
    }

    public static Edit remove(String path, @Nullable Object from) {
        return new Edit(Op.REMOVE, path, from, null);
    }

    /// A pointer to a field of something: `pointer("/spec/nodeSelector", "a/b")`.
    public static String pointer(String base, String key) {
        return base + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    /// A map for [#to] with its fields in order; those with empty texts are left out.
    public static Map<String, Object> fields(String... namesAndTexts) {
        var map = new java.util.LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            if (!namesAndTexts[i + 1].isEmpty()) {
                map.put(namesAndTexts[i], namesAndTexts[i + 1]);
            }
        }
        return map;
    }
}
