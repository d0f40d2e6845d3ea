package io.berth.config.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Reads configuration text: JSON where it begins with a brace, YAML otherwise, as upstream does.
public final class Documents {
    private static final String TOO_DEEP = "the text is nested too deeply";

    private Documents() {}

    /// @param json whether the text is JSON; repeated keys are told differently there
    public record Document(Value value, boolean json) {}

    public static Document read(byte[] bytes) throws TextException {
        var text = decoded(bounded(bytes));
        try {
            if (text.stripLeading().startsWith("{")) {
                return new Document(json(text), true);
            }
            return new Document(YamlReader.only(text), false);
        } catch (StackOverflowError tooDeep) {
            throw new TextException(TOO_DEEP);
        }
    }

    /// The first of the YAML documents in a text; what follows is not even looked at.
    public static Value first(byte[] bytes) throws TextException {
        try {
            return YamlReader.first(decoded(bounded(bytes)));
        } catch (StackOverflowError tooDeep) {
            throw new TextException(TOO_DEEP);
        }
    }

    /// Not every text comes from a file.
    private static byte[] bounded(byte[] bytes) throws TextException {
        if (bytes.length > SmallFiles.MOST_BYTES) {
            throw new TextException(
                    "the text has %d bytes; a configuration has at most %d"
                            .formatted(bytes.length, SmallFiles.MOST_BYTES));
        }
        return bytes;
    }

    private static Value json(String text) throws TextException {
        try {
            return JsonReader.read(text);
        } catch (TextException broken) {
            throw new TextException(
                    "couldn't get version/kind; json parse error: " + broken.sentence());
        }
    }

    private static String decoded(byte[] bytes) throws TextException {
        try {
            var text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException notText) {
            throw new TextException("yaml: invalid UTF-8: the file is no text");
        }
    }
}
