package io.berth.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;

/// Requests and answers that were recorded with a real kube-apiserver v1.36.4.
public final class Recorded {
    private Recorded() {}

    /// The entries of a JSON list beside the test class.
    public static Stream<JsonNode> entries(Class<?> test, String file) {
        try (var in = test.getResourceAsStream(file)) {
            return new ObjectMapper().readTree(in).valueStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static ResourceType type(String plural) {
        return ResourceTable.ALL.stream()
                .filter(type -> type.plural().equals(plural))
                .findFirst()
                .orElseThrow();
    }
}
