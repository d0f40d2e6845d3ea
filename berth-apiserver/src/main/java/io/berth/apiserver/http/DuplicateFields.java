package io.berth.apiserver.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.apiserver.json.Json;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finds members that an object of a JSON text has twice. A tree cannot tell: its last one wins.
final class DuplicateFields {
    private DuplicateFields() {}

    static List<String> find(byte[] body) throws IOException {
        var found = new ArrayList<String>();
        var seen = new ArrayDeque<Set<String>>();
        try (JsonParser parser = Json.MAPPER.createParser(body)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case START_OBJECT -> seen.push(new HashSet<>());
                    case END_OBJECT -> seen.pop();
                    case FIELD_NAME -> {
                        if (!seen.element().add(parser.currentName())) {
                            found.add(path(parser.getParsingContext()));
                        }
                    }
                    default -> {}
                }
            }
        }
        return found;
    }

    private static String path(JsonStreamContext place) {
        String path = "";
        JsonStreamContext context = place;
        while (context != null && !context.inRoot()) {
            String step =
                    context.inArray()
                            ? "[" + context.getCurrentIndex() + "]"
                            : context.getCurrentName();
            path = path.isEmpty() || path.startsWith("[") ? step + path : step + "." + path;
            context = context.getParent();
        }
        return path;
    }
}
