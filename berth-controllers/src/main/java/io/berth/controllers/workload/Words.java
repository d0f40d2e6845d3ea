package io.berth.controllers.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/// Short words that stand for trees.
public final class Words {
    /// Letters and digits that neither form words nor look alike.
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int LENGTH = 10;

    private Words() {}

    /// A word for a tree, whatever the order of its members is; the number makes it another one.
    public static String hash(JsonNode tree, long collisions) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : (sorted(tree) + "#" + collisions).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ each) * 0x100000001b3L;
        }
        var word = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            word.append(LETTERS.charAt((int) Long.remainderUnsigned(hash, LETTERS.length())));
            hash = Long.divideUnsigned(hash, LETTERS.length());
        }
        return word.toString();
    }

    private static String sorted(JsonNode tree) {
        if (tree.isObject()) {
            var members = new TreeMap<String, String>();
            tree.properties().forEach(each -> members.put(each.getKey(), sorted(each.getValue())));
            return members.toString();
        }
        return tree.isArray()
                ? tree.valueStream().map(Words::sorted).toList().toString()
                : tree.toString();
    }
}
