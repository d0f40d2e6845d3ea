package io.berth.kube.client;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A mapping of a YAML document that knows where it stands, so that a wrong value can be named by
/// file and path. Keys that nobody asks for are ignored, as upstream does.
///
/// @param origin file and path, such as `/etc/k8s/config: users[0].user`
record YamlMap(Map<?, ?> values, String origin) {
    static YamlMap of(@Nullable Object value, String origin) {
        return switch (value) {
            case null -> new YamlMap(Map.of(), origin);
            case Map<?, ?> map -> new YamlMap(map, origin);
            default -> throw wrong(origin, "a mapping", value);
        };
    }

    String at(String key) {
        return origin + (origin.endsWith(": ") ? "" : ".") + key;
    }

    boolean has(String key) {
        return values.get(key) != null;
    }

    YamlMap map(String key) {
        return of(values.get(key), at(key));
    }

    /// The elements of a list of mappings.
    List<YamlMap> maps(String key) {
        var result = new ArrayList<YamlMap>();
        var elements = list(key);
        for (int i = 0; i < elements.size(); i++) {
            result.add(of(elements.get(i), at(key) + "[" + i + "]"));
        }
        return result;
    }

    List<String> texts(String key) {
        var result = new ArrayList<String>();
        var elements = list(key);
        for (int i = 0; i < elements.size(); i++) {
            result.add(asText(elements.get(i), at(key) + "[" + i + "]"));
        }
        return result;
    }

    private List<?> list(String key) {
        return switch (values.get(key)) {
            case null -> List.of();
            case List<?> elements -> elements;
            case Object other -> throw wrong(at(key), "a list", other);
        };
    }

    /// Empty where absent.
    String text(String key) {
        var value = values.get(key);
        return value == null ? "" : asText(value, at(key));
    }

    boolean flag(String key) {
        return switch (values.get(key)) {
            case null -> false;
            case Boolean flag -> flag;
            case Object other -> throw wrong(at(key), "true or false", other);
        };
    }

    byte @Nullable [] base64(String key) {
        String text = text(key);
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
        } catch (IllegalArgumentException malformed) {
            throw new ConfigException(at(key) + ": not valid base64", malformed);
        }
    }

    private static String asText(Object value, String where) {
        if (value instanceof Map || value instanceof List) {
            throw wrong(where, "a text", value);
        }
        return String.valueOf(value);
    }

    private static ConfigException wrong(String where, String wanted, Object value) {
        String found =
                switch (value) {
                    case Map<?, ?> map -> "a mapping";
                    case List<?> list -> "a list";
                    default -> "\"" + value + "\"";
                };
        return new ConfigException(where + ": expected " + wanted + ", found " + found);
    }
}
