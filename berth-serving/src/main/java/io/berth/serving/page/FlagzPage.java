package io.berth.serving.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// `/flagz`: every flag of the command line with its value.
final class FlagzPage {
    private FlagzPage() {}

    static ZPage of(Map<String, String> flags, boolean cbor) {
        SortedMap<String, String> sorted = new TreeMap<>(flags);
        String prose = prose(sorted);
        return new ZPage("Flagz", () -> prose, tree -> addTo(tree, sorted), cbor);
    }

    private static String prose(SortedMap<String, String> flags) {
        String separator = ZPage.separator();
        var text = new StringBuilder(ZPage.header("flagz"));
        flags.forEach(
                (name, value) -> text.append(name).append(separator).append(value).append('\n'));
        return text.toString();
    }

    private static void addTo(ObjectNode tree, SortedMap<String, String> flags) {
        ObjectNode node = tree.putObject("flags");
        flags.forEach(node::put);
    }
}
