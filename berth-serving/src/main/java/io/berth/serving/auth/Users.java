package io.berth.serving.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.serving.http.User;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Users as reviews show them.
final class Users {
    private Users() {}

    static User read(JsonNode node) {
        Map<String, List<String>> extra = new HashMap<>();
        node.path("extra")
                .properties()
                .forEach(field -> extra.put(field.getKey(), texts(field.getValue())));
        return new User(
                node.path("username").asText(),
                node.path("uid").asText(),
                texts(node.path("groups")),
                extra);
    }

    /// Adds what a review of access says about the user.
    static void write(User user, ObjectNode spec) {
        if (!user.name().isEmpty()) {
            spec.put("user", user.name());
        }
        if (!user.groups().isEmpty()) {
            user.groups().forEach(spec.putArray("groups")::add);
        }
        if (!user.extra().isEmpty()) {
            ObjectNode extra = spec.putObject("extra");
            new TreeMap<>(user.extra())
                    .forEach((key, values) -> values.forEach(extra.putArray(key)::add));
        }
        if (!user.uid().isEmpty()) {
            spec.put("uid", user.uid());
        }
    }

    static List<String> texts(JsonNode array) {
        var texts = new ArrayList<String>();
        array.forEach(node -> texts.add(node.asText()));
        return texts;
    }
}
