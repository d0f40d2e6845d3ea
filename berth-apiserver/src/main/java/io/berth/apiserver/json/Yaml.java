package io.berth.apiserver.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/// Reads YAML bodies into JSON trees.
public final class Yaml {
    private static final int MAX_DEPTH = 100;

    private Yaml() {}

    /// Dates stay text, as they are in JSON.
    private static final class JsonResolver extends Resolver {
        @Override
        public void addImplicitResolver(Tag tag, Pattern pattern, String first, int limit) {
            if (!tag.equals(Tag.TIMESTAMP)) {
                super.addImplicitResolver(tag, pattern, first, limit);
            }
        }
    }

    /// Reads one document.
    ///
    /// @throws IllegalArgumentException with the place of the problem
    public static JsonNode parse(String text, int maxBytes) {
        var options = new LoaderOptions();
        options.setCodePointLimit(maxBytes);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setAllowDuplicateKeys(false);
        var dumping = new DumperOptions();
        var yaml =
                new org.yaml.snakeyaml.Yaml(
                        new SafeConstructor(options),
                        new Representer(dumping),
                        dumping,
                        options,
                        new JsonResolver());
        try {
            return Json.MAPPER.valueToTree(yaml.load(text));
        } catch (YAMLException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
