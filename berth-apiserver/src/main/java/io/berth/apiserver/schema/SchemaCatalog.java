package io.berth.apiserver.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.schema.SchemaType.ListOf;
import io.berth.apiserver.schema.SchemaType.MapOf;
import io.berth.apiserver.schema.SchemaType.Scalar;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// All structs of the API, read once from the `*.schema` files beside this class. The files hold
/// names, types and merge rules, one field per line; `src/main/schema/extract.py` says how they are
/// made from a Kubernetes release.
public final class SchemaCatalog {
    private static final List<String> FILES =
            List.of(
                    "meta.v1",
                    "apiextensions.v1",
                    "core.v1",
                    "apps.v1",
                    "autoscaling.v1",
                    "batch.v1",
                    "coordination.v1",
                    "coordination.v1beta1",
                    "events.v1",
                    "policy.v1",
                    "rbac.v1",
                    "resource.v1",
                    "scheduling.v1",
                    "scheduling.v1alpha2",
                    "storage.v1");
    private static final SchemaCatalog INSTANCE = load();

    private final Map<String, StructType> structs = new TreeMap<>();
    private final Map<String, SchemaType> scalars = new HashMap<>();

    private SchemaCatalog() {
        for (Scalar scalar : Scalar.values()) {
            scalars.put(scalar.word, scalar);
        }
    }

    /// The struct of a served kind; empty for a kind that the catalog does not know.
    public static Optional<StructType> of(ResourceType type) {
        return type.custom() ? Optional.empty() : of(type.apiVersion(), type.kind());
    }

    /// The struct of a kind by what objects carry as `apiVersion` and `kind`.
    public static Optional<StructType> of(String apiVersion, String kind) {
        return struct(packageOf(apiVersion) + "." + kind);
    }

    /// A struct by its name, such as `meta.v1.ObjectMeta`.
    public static Optional<StructType> struct(String name) {
        return Optional.ofNullable(INSTANCE.structs.get(name));
    }

    /// Every struct, by name.
    public static Collection<StructType> all() {
        return Collections.unmodifiableCollection(INSTANCE.structs.values());
    }

    /// `v1` is `core.v1`, `storage.k8s.io/v1` is `storage.v1`: groups of Kubernetes lose their
    /// domain.
    private static String packageOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        if (slash < 0) {
            return "core." + apiVersion;
        }
        String group = apiVersion.substring(0, slash);
        int dot = group.endsWith(".k8s.io") ? group.indexOf('.') : -1;
        return (dot < 0 ? group : group.substring(0, dot)) + "." + apiVersion.substring(slash + 1);
    }

    private static SchemaCatalog load() {
        var catalog = new SchemaCatalog();
        var lines = new ArrayList<String>();
        for (String file : FILES) {
            lines.addAll(lines(file + ".schema"));
        }
        for (String line : lines) {
            if (!line.startsWith(" ")) {
                String[] words = line.split(" ", -1);
                boolean atomic = words.length > 1 && words[1].equals("map=atomic");
                catalog.structs.put(words[0], new StructType(words[0], atomic));
            }
        }
        StructType current = null;
        for (String line : lines) {
            if (!line.startsWith(" ")) {
                current = catalog.structs.get(line.split(" ", -1)[0]);
            } else if (current != null) {
                current.add(catalog.field(line.strip()));
            }
        }
        return catalog;
    }

    private static List<String> lines(String file) {
        try (var in = SchemaCatalog.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("schema file " + file + " is not on the classpath");
            }
            var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            return reader.lines().filter(line -> !line.isBlank()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Field field(String line) {
        String[] words = line.split(" ", -1);
        boolean required = false;
        boolean atomicMap = false;
        String strategy = "";
        String key = "";
        Field.ListKind listKind = Field.ListKind.ATOMIC;
        List<String> listKeys = List.of();
        Optional<JsonNode> defaultValue = Optional.empty();
        for (int i = 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            String value = words[i].substring(equals + 1);
            switch (equals < 0 ? words[i] : words[i].substring(0, equals)) {
                case "required" -> required = true;
                case "patch" -> strategy = value;
                case "key" -> key = value;
                case "map" -> atomicMap = value.equals("atomic");
                case "default" -> defaultValue = Optional.of(json(value));
                case "list" -> {
                    if (value.startsWith("map:")) {
                        listKind = Field.ListKind.MAP;
                        listKeys = Arrays.asList(value.substring(4).split(",", -1));
                    } else if (value.equals("set")) {
                        listKind = Field.ListKind.SET;
                    }
                }
                default -> throw new IllegalStateException("unknown word in schema: " + line);
            }
        }
        boolean merge = strategy.startsWith("merge");
        boolean retainKeys = strategy.endsWith("retainKeys");
        return new Field(
                words[0],
                type(words[1]),
                required,
                new Field.Patch(merge, retainKeys, key),
                listKind,
                listKeys,
                atomicMap,
                defaultValue);
    }

    private SchemaType type(String word) {
        if (word.startsWith("[]")) {
            return new ListOf(type(word.substring(2)));
        }
        if (word.startsWith("map[]")) {
            return new MapOf(type(word.substring(5)));
        }
        SchemaType type = scalars.get(word);
        if (type == null) {
            type = structs.get(word);
        }
        if (type == null) {
            throw new IllegalStateException("unknown type in schema: " + word);
        }
        return type;
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("bad default in schema: " + text, e);
        }
    }
}
