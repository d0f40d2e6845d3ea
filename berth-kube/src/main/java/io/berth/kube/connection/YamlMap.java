package io.berth.kube.connection;

import io.berth.config.schema.Base64Data;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An object of a kubeconfig that knows where it stands, so that a wrong value can be named by file
/// and path. Types have been checked before.
///
/// @param origin file and path, such as `/etc/k8s/config: users[0].user`
record YamlMap(Fields values, String origin) {
    String at(String key) {
        return origin + (origin.endsWith(": ") ? "" : ".") + key;
    }

    boolean has(String key) {
        return values.has(key);
    }

    YamlMap map(String key) {
        return new YamlMap(values.fields(key), at(key));
    }

    /// The elements of a list of objects.
    List<YamlMap> maps(String key) {
        var result = new ArrayList<YamlMap>();
        var elements = values.objects(key);
        for (int i = 0; i < elements.size(); i++) {
            result.add(new YamlMap(elements.get(i), at(key) + "[" + i + "]"));
        }
        return result;
    }

    List<String> texts(String key) {
        return values.texts(key);
    }

    /// Empty where absent.
    String text(String key) {
        return values.text(key, "");
    }

    boolean flag(String key) {
        return values.flag(key, false);
    }

    byte @Nullable [] base64(String key) {
        String text = text(key);
        return text.isEmpty() ? null : Base64Data.decode(text);
    }

    Map<String, Value> entries() {
        return values.entries();
    }
}
