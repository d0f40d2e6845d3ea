package io.berth.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What kube-scheduler v1.36.4 did with some files: recorded with `--config` and
/// `--write-config-to`.
///
/// @param file the text of the configuration
/// @param outcome what it wrote, or the error that it ended with
record UpstreamFacts(String file, String outcome) {
    static List<UpstreamFacts> good() {
        return recorded("good.txt");
    }

    static List<UpstreamFacts> broken() {
        return recorded("broken.txt");
    }

    /// Files that it read and checked, and could not build profiles from.
    static List<UpstreamFacts> unbuildable() {
        return recorded("unbuildable.txt");
    }

    private static List<UpstreamFacts> recorded(String name) {
        var facts = new ArrayList<UpstreamFacts>();
        for (var fact : text(name).split("\n%%%%\n", -1)) {
            var parts = fact.split("\n%%\n", 2);
            facts.add(new UpstreamFacts(parts[0], parts[1]));
        }
        return facts;
    }

    private static String text(String name) {
        try (InputStream in = UpstreamFacts.class.getResourceAsStream("/upstream/" + name)) {
            if (in == null) {
                throw new IllegalStateException("no recorded facts " + name);
            }
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(0, text.length() - 1);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public String toString() {
        var lines = file.lines().skip(3).toList();
        return (lines.isEmpty() ? file : String.join(" ", lines)).strip();
    }
}
