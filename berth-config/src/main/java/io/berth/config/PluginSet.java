package io.berth.config;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Nothing;
import java.util.List;

/// What a profile says about one extension point.
///
/// @param disabled names; `*` is all of them
public record PluginSet(List<EnabledPlugin> enabled, List<String> disabled) {
    public static final PluginSet EMPTY = new PluginSet(List.of(), List.of());

    public PluginSet {
        enabled = List.copyOf(enabled);
        disabled = List.copyOf(disabled);
    }

    public static PluginSet of(EnabledPlugin... enabled) {
        return new PluginSet(List.of(enabled), List.of());
    }

    static PluginSet of(Fields file) {
        return new PluginSet(
                file.objects("enabled").stream()
                        .map(plugin ->
                                new EnabledPlugin(
                                        plugin.text("name", ""), (int) plugin.number("weight", 0)))
                        .toList(),
                file.objects("disabled").stream().map(plugin -> plugin.text("name", "")).toList());
    }

    Fields fields() {
        return new FieldsBuilder()
                .putIfSet(
                        "enabled",
                        enabled.stream().map(plugin -> plugin("name", plugin, "weight")).toList())
                .putIfSet(
                        "disabled",
                        disabled.stream()
                                .map(name -> plugin("name", EnabledPlugin.of(name), "weight"))
                                .toList())
                .build();
    }

    /// As upstream's errors show it.
    Fields internal() {
        return new FieldsBuilder()
                .put(
                        "Enabled",
                        listOrNull(
                                enabled.stream()
                                        .map(plugin -> plugin("Name", plugin, "Weight"))
                                        .toList()))
                .put(
                        "Disabled",
                        listOrNull(
                                disabled.stream()
                                        .map(name ->
                                                plugin("Name", EnabledPlugin.of(name), "Weight"))
                                        .toList()))
                .build();
    }

    private static Fields plugin(String nameField, EnabledPlugin plugin, String weightField) {
        return new FieldsBuilder()
                .put(nameField, plugin.name())
                .put(weightField, plugin.weight())
                .build();
    }

    private static Value listOrNull(List<Fields> items) {
        return items.isEmpty() ? new Nothing(0) : Value.of(items);
    }

    public boolean isEmpty() {
        return enabled.isEmpty() && disabled.isEmpty();
    }
}
