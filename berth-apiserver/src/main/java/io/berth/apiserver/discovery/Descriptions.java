package io.berth.apiserver.discovery;

import io.berth.apiserver.schema.Field;
import io.berth.apiserver.schema.StructType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// Short texts about kinds and fields for `kubectl explain`, from `descriptions.txt` beside this
/// class. Fields without a line there have no text.
final class Descriptions {
    private static final Map<String, String> TEXTS = load();

    private Descriptions() {}

    static String of(StructType struct) {
        return TEXTS.getOrDefault(struct.name(), "");
    }

    /// A text for exactly this field, or one for fields of this name in any struct.
    static String of(StructType owner, Field field) {
        String text = TEXTS.get(owner.name() + "#" + field.name());
        return text != null ? text : TEXTS.getOrDefault("#" + field.name(), "");
    }

    private static Map<String, String> load() {
        try (var in = Descriptions.class.getResourceAsStream("descriptions.txt")) {
            if (in == null) {
                throw new IllegalStateException("descriptions.txt is not on the classpath");
            }
            var texts = new HashMap<String, String>();
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> line.contains(" "))
                    .forEach(line -> {
                        int space = line.indexOf(' ');
                        texts.put(line.substring(0, space), line.substring(space + 1));
                    });
            return Map.copyOf(texts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
