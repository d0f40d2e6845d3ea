package io.berth.config;

import io.berth.config.schema.ArgumentTypes;
import io.berth.config.schema.StrictDecoder;
import io.berth.config.schema.StrictDecoder.Finding;
import io.berth.config.schema.Type.Struct;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Documents.Document;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Compares a file with the types of its version, the arguments of plugins included, and tells all
/// that does not fit (rules P-72 to P-74).
final class Decoding {
    private final Document document;
    private final Fields root;
    private final String version;
    private final List<Finding> mismatches = new ArrayList<>();
    private final List<Finding> strict = new ArrayList<>();

    /// @param version of the file
    Decoding(Document document, String version) {
        this.document = document;
        this.root = document.value() instanceof Fields fields ? fields : Fields.EMPTY;
        this.version = version;
    }

    Fields root() {
        return root;
    }

    /// @param argumentTypes by plugin
    /// @throws ConfigurationException where the file has another form
    void require(Struct type, Map<String, Struct> argumentTypes) throws ConfigurationException {
        if (!document.json()) {
            repeatedKeys();
        }
        var decoder = new StrictDecoder(document.json());
        decoder.check(root, type);
        mismatches.addAll(decoder.mismatches());
        strict.addAll(decoder.strict());
        arguments(argumentTypes);
        throwIfAny();
    }

    private void repeatedKeys() {
        var repeated = StrictDecoder.repeatedKeys(root);
        if (!repeated.isEmpty()) {
            var lines =
                    repeated.stream()
                            .map(finding -> "\n  " + finding.text())
                            .collect(Collectors.joining());
            strict.add(new Finding("yaml: unmarshal errors:" + lines, 0));
        }
    }

    private void arguments(Map<String, Struct> types) {
        var profiles = root.objects("profiles");
        for (int i = 0; i < profiles.size(); i++) {
            var configs = profiles.get(i).objects("pluginConfig");
            for (int j = 0; j < configs.size(); j++) {
                var name = configs.get(j).text("name", "");
                var type = types.get(name);
                var args = configs.get(j).find("args");
                if (type != null && args != null) {
                    arguments(".profiles[%d].pluginConfig[%d]".formatted(i, j), name, args, type);
                }
            }
        }
    }

    private void arguments(String path, String plugin, Value value, Struct type) {
        var before = "decoding " + path + ": ";
        var inside = before + "decoding args for plugin " + plugin + ": ";
        if (!(value instanceof Fields args)) {
            mismatches.add(new Finding(inside + Header.notAnObject(value), value.line()));
            return;
        }
        var problem = headerProblem(plugin, args);
        if (!problem.isEmpty()) {
            mismatches.add(new Finding(before + problem, args.line()));
            return;
        }
        var decoder = new StrictDecoder(document.json());
        decoder.check(args, type);
        for (var mismatch : decoder.mismatches()) {
            mismatches.add(new Finding(inside + mismatch.text(), mismatch.line()));
        }
        if (!decoder.strict().isEmpty()) {
            var texts =
                    decoder.strict().stream().map(Finding::text).collect(Collectors.joining(", "));
            strict.add(
                    new Finding(
                            before
                                    + "strict decoding error: decoding args for plugin "
                                    + plugin
                                    + ": strict decoding error: "
                                    + texts,
                            decoder.strict().getFirst().line()));
        }
    }

    /// Arguments may leave out what they are; what they say must be true.
    private String headerProblem(String plugin, Fields args) {
        var inside = "decoding args for plugin " + plugin + ": ";
        for (var field : List.of("kind", "apiVersion")) {
            var value = args.find(field);
            if (value != null && !(value instanceof Text)) {
                return inside
                        + "couldn't get version/kind; json parse error: json: cannot unmarshal "
                        + value.word()
                        + " into Go struct field ."
                        + field
                        + " of type string";
            }
        }
        var wanted = plugin + "Args";
        var kind = text(args, "kind", wanted);
        var given = text(args, "apiVersion", version);
        boolean known = given.equals(version) && isArgumentsKind(kind);
        if (!known) {
            return inside + Header.unregistered(kind, given);
        }
        return kind.equals(wanted)
                ? ""
                : "args for plugin %s were not of type %s.%s, got %s.%s"
                        .formatted(
                                plugin,
                                wanted,
                                SchedulerConfiguration.GROUP,
                                kind,
                                SchedulerConfiguration.GROUP);
    }

    static boolean isArgumentsKind(String kind) {
        return kind.endsWith("Args")
                && ArgumentTypes.ofAllVersions()
                        .containsKey(kind.substring(0, kind.length() - "Args".length()));
    }

    private static String text(Fields args, String field, String otherwise) {
        var text = args.text(field, "");
        return text.isEmpty() ? otherwise : text;
    }

    private void throwIfAny() throws ConfigurationException {
        var problems = new ArrayList<String>();
        mismatches.forEach(finding -> problems.add(finding.text()));
        if (!strict.isEmpty()) {
            problems.add(
                    "strict decoding error: "
                            + strict.stream().map(Finding::text).collect(Collectors.joining(", ")));
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems, place());
        }
    }

    /// Where to look, after upstream's words.
    private String place() {
        var lines = new TreeSet<Integer>();
        mismatches.forEach(finding -> lines.add(finding.line()));
        strict.forEach(finding -> lines.add(finding.line()));
        lines.remove(0);
        if (lines.isEmpty()) {
            return "";
        }
        return lines.stream()
                .map(String::valueOf)
                .collect(Collectors.joining(", ", lines.size() == 1 ? " (line " : " (lines ", ")"));
    }
}
