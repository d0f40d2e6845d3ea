package io.berth.up.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads objects from YAML or JSON: single ones, lists as kubectl prints them, several documents.
final class Manifests {
    /// A dump of a cluster of thousands of nodes is smaller than this.
    private static final int MOST_BYTES = 512 * 1024 * 1024;

    private Manifests() {}

    static String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new FileProblem(
                        file + " is larger than 512 MiB; leave out what is not needed");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException problem) {
            throw new FileProblem(
                    "cannot read "
                            + file
                            + " ("
                            + problem.getClass().getSimpleName()
                            + "); give the path of a file that can be read");
        }
    }

    /// @param place how the text is called in complaints
    static List<JsonNode> documents(String text, String place) {
        var documents = new ArrayList<JsonNode>();
        for (String part : text.split("(?m)^---\\s*$", -1)) {
            if (part.isBlank()) {
                continue;
            }
            try {
                documents.add(Yaml.parse(part, MOST_BYTES));
            } catch (IllegalArgumentException notYaml) {
                throw new FileProblem(place + " is neither YAML nor JSON: " + notYaml.getMessage());
            }
        }
        return documents;
    }

    /// The objects in a tree, those of lists one by one.
    static List<ObjectNode> objects(JsonNode tree, String place) {
        var objects = new ArrayList<ObjectNode>();
        collect(tree, place, objects);
        return objects;
    }

    private static void collect(JsonNode tree, String place, List<ObjectNode> objects) {
        switch (tree) {
            case ArrayNode list -> list.forEach(each -> collect(each, place, objects));
            case ObjectNode object when object.path("items").isArray() ->
                    collect(object.path("items"), place, objects);
            case ObjectNode object when object.has("kind") && object.has("apiVersion") ->
                    objects.add(object);
            default ->
                    throw new FileProblem(
                            place + " holds something without kind and apiVersion; give objects");
        }
    }
}
