package io.berth.apiserver.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/// Reads YAML bodies into JSON trees.
public final class Yaml {
    private static final int MAX_DEPTH = 100;
    private static final Pattern SHORT_BOOLEAN = Pattern.compile("[yYnN]");

    private Yaml() {}

    /// Dates stay text, as they are in JSON. The short truths of YAML 1.1 are truths, as they are
    /// to kube-apiserver.
    private static final class JsonResolver extends Resolver {
        @Override
        protected void addImplicitResolvers() {
            super.addImplicitResolvers();
            addImplicitResolver(Tag.BOOL, SHORT_BOOLEAN, "yYnN", 1);
        }

        @Override
        public void addImplicitResolver(Tag tag, Pattern pattern, String first, int limit) {
            if (!tag.equals(Tag.TIMESTAMP)) {
                super.addImplicitResolver(tag, pattern, first, limit);
            }
        }
    }

    private static final class JsonConstructor extends SafeConstructor {
        JsonConstructor(LoaderOptions options) {
            super(options);
            yamlConstructors.put(
                    Tag.BOOL,
                    new ConstructYamlBool() {
                        @Override
                        public Object construct(Node node) {
                            String text = constructScalar((ScalarNode) node);
                            return SHORT_BOOLEAN.matcher(text).matches()
                                    ? text.equalsIgnoreCase("y")
                                    : super.construct(node);
                        }
                    });
        }
    }

    /// Reads one document.
    ///
    /// @throws NotYamlException with the place of the problem
    public static JsonNode parse(String text, int maxBytes) {
        var options = new LoaderOptions();
        options.setCodePointLimit(maxBytes);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setAllowDuplicateKeys(false);
        var dumping = new DumperOptions();
        var yaml =
                new org.yaml.snakeyaml.Yaml(
                        new JsonConstructor(options),
                        new Representer(dumping),
                        dumping,
                        options,
                        new JsonResolver());
        try {
            return Json.MAPPER.valueToTree(yaml.load(text));
        } catch (MarkedYAMLException wrong) {
            var mark = wrong.getProblemMark();
            throw new NotYamlException(
                    mark == null ? 1 : mark.getLine() + 1, oneLine(wrong.getProblem()), wrong);
        } catch (YAMLException wrong) {
            throw new NotYamlException(1, oneLine(wrong.getMessage()), wrong);
        }
    }

    private static String oneLine(@Nullable String text) {
        return String.valueOf(text).lines().findFirst().orElse("");
    }

    /// A text is no YAML.
    public static final class NotYamlException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private final int line;
        private final String problem;

        NotYamlException(int line, String problem, YAMLException cause) {
            super("line " + line + ": " + problem, cause);
            this.line = line;
            this.problem = problem;
        }

        /// Which one is wrong, from 1 on.
        public int line() {
            return line;
        }

        /// What is wrong with it, in a line.
        public String problem() {
            return problem;
        }
    }
}
