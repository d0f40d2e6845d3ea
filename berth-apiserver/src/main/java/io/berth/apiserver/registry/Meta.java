package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/// Questions and changes to `metadata`.
final class Meta {
    /// Letters and digits that neither form words nor look alike.
    private static final String NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_GENERATED_PREFIX = 63 - SUFFIX_LENGTH;

    private Meta() {}

    static ObjectNode of(ObjectNode object) {
        return Json.ensure(object, "metadata");
    }

    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText("");
    }

    static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText("");
    }

    static String resourceVersion(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asText("");
    }

    static boolean isDeleting(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    static boolean hasFinalizers(JsonNode object) {
        return !object.path("metadata").path("finalizers").isEmpty();
    }

    static OptionalLong gracePeriodSeconds(JsonNode object) {
        JsonNode period = object.path("metadata").path("deletionGracePeriodSeconds");
        return period.isNumber() ? OptionalLong.of(period.asLong()) : OptionalLong.empty();
    }

    static void bumpGeneration(ObjectNode object) {
        ObjectNode metadata = of(object);
        metadata.put("generation", metadata.path("generation").asLong(0) + 1);
    }

    /// Counts a step of an object that counts steps at all.
    static void bumpGenerationIfCounted(ObjectNode object) {
        if (object.path("metadata").path("generation").asLong(0) > 0) {
            bumpGeneration(object);
        }
    }

    /// Moves a member from one metadata to another, absence included.
    static void copy(ObjectNode from, ObjectNode to, String field) {
        JsonNode value = of(from).get(field);
        if (value == null) {
            of(to).remove(field);
        } else {
            of(to).set(field, value);
        }
    }

    static void remove(ObjectNode object, List<String> fields) {
        of(object).remove(fields);
    }

    static String timestamp(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String generateName(String prefix, RandomGenerator random) {
        var name = new StringBuilder(prefix);
        if (name.length() > MAX_GENERATED_PREFIX) {
            name.setLength(MAX_GENERATED_PREFIX);
        }
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(NAME_LETTERS.charAt(random.nextInt(NAME_LETTERS.length())));
        }
        return name.toString();
    }
}
