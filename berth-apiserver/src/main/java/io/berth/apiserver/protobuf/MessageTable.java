package io.berth.apiserver.protobuf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The messages of the API: which number is which field of which type. Read once from a resource
/// that `src/main/schema/extract_protobuf.py` writes.
final class MessageTable {
    private static final String RESOURCE = "fields.txt";

    /// By name such as `core.v1.Pod`, then by number.
    private final Map<String, Map<Integer, Field>> messages;

    private MessageTable(Map<String, Map<Integer, Field>> messages) {
        this.messages = messages;
    }

    /// One field.
    ///
    /// @param json the name in JSON; `-` if its members belong to the outer object
    /// @param pointer zero is a value, not absence
    /// @param always shown in JSON even when zero
    record Field(String json, String type, boolean pointer, boolean always) {
        boolean inline() {
            return json.equals("-");
        }
    }

    private static final class Holder {
        static final MessageTable INSTANCE = load();
    }

    static MessageTable instance() {
        return Holder.INSTANCE;
    }

    Optional<Map<Integer, Field>> fields(String message) {
        return Optional.ofNullable(messages.get(message));
    }

    private static MessageTable load() {
        var messages = new HashMap<String, Map<Integer, Field>>();
        Map<Integer, Field> current = new HashMap<>();
        try (var in =
                        Objects.requireNonNull(
                                MessageTable.class.getResourceAsStream(RESOURCE), RESOURCE);
                var reader =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.startsWith(" ")) {
                    current = new HashMap<>();
                    messages.put(line, current);
                    continue;
                }
                String[] parts = line.strip().split(" ", 3);
                String type = parts[2].replaceAll("[?!]", "");
                current.put(
                        Integer.valueOf(parts[0]),
                        new Field(parts[1], type, parts[2].contains("?"), parts[2].contains("!")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new MessageTable(messages);
    }
}
