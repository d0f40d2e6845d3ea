package io.berth.config;

import io.berth.config.text.ConfigurationException;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Text;
import java.nio.charset.StandardCharsets;

/// What a file says that it is (rules P-70, P-71).
///
/// @param version such as `kubescheduler.config.k8s.io/v1`
record Header(String version, String kind) {
    private static final int LONGEST_QUOTE = 500;
    private static final String EXPECTED =
            "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
                    + " \"json:\\\"kind,omitempty\\\"\" }";

    /// @param text the whole text, for messages
    static Header of(Value value, byte[] text) throws ConfigurationException {
        if (value instanceof Nothing) {
            throw missing("Kind", text);
        }
        if (!(value instanceof Fields fields)) {
            throw new ConfigurationException(notAnObject(value));
        }
        var kind = text(fields, "kind");
        var version = text(fields, "apiVersion");
        if (kind.isEmpty()) {
            throw missing("Kind", text);
        }
        if (version.isEmpty()) {
            throw missing("apiVersion", text);
        }
        if (version.indexOf('/') != version.lastIndexOf('/')) {
            throw new ConfigurationException("unexpected GroupVersion string: " + version);
        }
        return new Header(version, kind);
    }

    static String notAnObject(Value value) {
        return "couldn't get version/kind; json parse error: json: cannot unmarshal %s into Go value of type %s"
                .formatted(value.word(), EXPECTED);
    }

    static String unregistered(String kind, String version) {
        return "no kind %s is registered for version %s in scheme \"pkg/runtime/scheme.go:111\""
                .formatted(JsonWriter.quoted(kind), JsonWriter.quoted(version));
    }

    static String text(Fields fields, String field) throws ConfigurationException {
        var value = fields.find(field);
        if (value == null) {
            return "";
        }
        if (value instanceof Text text) {
            return text.text();
        }
        throw new ConfigurationException(
                "couldn't get version/kind; json parse error: json: cannot unmarshal %s into Go struct field .%s of type string (line %d)"
                        .formatted(value.word(), field, value.line()));
    }

    private static ConfigurationException missing(String what, byte[] text) {
        var quote = new String(text, StandardCharsets.UTF_8);
        return new ConfigurationException(
                "Object '%s' is missing in '%s'"
                        .formatted(
                                what,
                                quote.length() <= LONGEST_QUOTE
                                        ? quote
                                        : quote.substring(0, LONGEST_QUOTE) + "..."));
    }
}
