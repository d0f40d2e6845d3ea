package io.berth.config.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Reads configuration text: JSON where it begins with a brace, YAML otherwise, as upstream does.
public final class Documents {
    /// No configuration comes near this size, and a wrong file must not fill the memory.
    public static final int MOST_BYTES = 4 << 20;

    private Documents() {}

    /// @param json whether the text is JSON; repeated keys are told differently there
    public record Document(Value value, boolean json) {}

    public static Document read(byte[] bytes) throws TextException {
        if (bytes.length > MOST_BYTES) {
            throw new TextException(
                    "the file has %d bytes; a configuration has at most %d"
                            .formatted(bytes.length, MOST_BYTES));
        }
        return read(decoded(bytes));
    }

    public static Document read(String text) throws TextException {
        try {
            if (text.stripLeading().startsWith("{")) {
                return new Document(json(text), true);
            }
            return new Document(YamlReader.read(text), false);
        } catch (StackOverflowError tooDeep) {
            throw new TextException("the text is nested too deeply");
        }
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
