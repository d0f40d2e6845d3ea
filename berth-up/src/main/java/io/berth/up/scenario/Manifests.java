package io.berth.up.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
        } catch (NoSuchFileException none) {
            throw new FileProblem("there is no file " + file + "; give the path of one");
        } catch (IOException problem) {
            throw new FileProblem(
                    "cannot read "
                            + file
                            + " ("
                            + problem.getMessage()
                            + "); give the path of a file that can be read");
        }
    }

    /// @param place how the text is called in complaints
    static List<JsonNode> documents(String text, String place) {
        var documents = new ArrayList<JsonNode>();
        long lines = 0;
        for (String part : text.split("(?m)^---[ \\t]*$", -1)) {
            if (!part.isBlank()) {
                documents.add(document(part, lines, place));
            }
            lines += part.chars().filter(letter -> letter == '\n').count();
        }
        return documents;
    }

    /// @param linesBefore of the same text
    private static JsonNode document(String text, long linesBefore, String place) {
        try {
            return Yaml.parse(text, MOST_BYTES);
        } catch (Yaml.NotYamlException wrong) {
            throw new FileProblem(
                    "%s is neither YAML nor JSON: line %d: %s"
                            .formatted(place, linesBefore + wrong.line(), wrong.problem()));
        }
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
