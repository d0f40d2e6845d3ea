package io.berth.config;

import io.berth.config.schema.KubeconfigTypes;
import io.berth.config.schema.StrictDecoder;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Documents;
import io.berth.config.text.TextException;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Nothing;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads the text of a kubeconfig as the client library of Kubernetes does: the first document
/// counts, the last of repeated keys wins, unknown keys are passed over; a value of the wrong type,
/// another kind or version, and a name that comes twice are errors.
public final class KubeconfigReader {
    private static final String KIND = "Config";
    private static final String VERSION = "v1";

    private KubeconfigReader() {}

    /// @throws ConfigurationException with upstream's words where the text is no kubeconfig
    public static Fields read(byte[] text) throws ConfigurationException {
        Fields root;
        try {
            root =
                    switch (Documents.first(text)) {
                        case Nothing _ -> Fields.EMPTY;
                        case Fields fields -> fields;
                        case Value other ->
                                throw new ConfigurationException(Header.notAnObject(other));
                    };
        } catch (TextException malformed) {
            throw new ConfigurationException(malformed.sentence());
        }
        requireHeader(root);
        requireTypes(root);
        for (var list : List.of("clusters", "users", "contexts")) {
            requireUniqueNames(root, list);
        }
        return root;
    }

    /// What the file says that it is; it may leave it out.
    private static void requireHeader(Fields root) throws ConfigurationException {
        var kind = Header.text(root, "kind");
        var version = Header.text(root, "apiVersion");
        var actualKind = kind.isEmpty() ? KIND : kind;
        var actualVersion = version.isEmpty() ? VERSION : version;
        if (!actualKind.equals(KIND) || !actualVersion.equals(VERSION)) {
            throw new ConfigurationException(Header.unregistered(actualKind, actualVersion));
        }
    }

    private static void requireTypes(Fields root) throws ConfigurationException {
        var decoder = new StrictDecoder(false);
        decoder.check(root, KubeconfigTypes.CONFIG);
        if (!decoder.mismatches().isEmpty()) {
            var first = decoder.mismatches().getFirst();
            throw new ConfigurationException(first.text() + " (line " + first.line() + ")");
        }
    }

    private static void requireUniqueNames(Fields root, String list) throws ConfigurationException {
        Set<String> names = new HashSet<>();
        for (var entry : root.objects(list)) {
            if (!names.add(entry.text("name", ""))) {
                throw new ConfigurationException(
                        "duplicate name \"%s\" in list %s (line %d)"
                                .formatted(entry.text("name", ""), list, entry.line()));
            }
        }
    }
}
