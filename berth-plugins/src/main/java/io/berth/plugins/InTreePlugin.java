package io.berth.plugins;

import io.berth.api.handle.Handle;
import io.berth.api.model.Kind;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/// One line of [InTree]: a plugin that Berth brings along, or one that only kube-scheduler has.
///
/// @param weight of its scores, unless a profile says otherwise
/// @param gate the feature gate that brings it into the default profile; empty for none
/// @param isDefault whether the default profile has it
/// @param missingPoints where it stands in kube-scheduler; empty for those that are here
/// @param looksAt kinds beside pods and nodes, by arguments
record InTreePlugin(
        String name,
        int weight,
        String gate,
        boolean isDefault,
        Set<String> missingPoints,
        Function<Arguments, Set<Kind>> looksAt,
        BiFunction<Arguments, Handle, Plugin> maker)
        implements PluginFactory {
    static InTreePlugin of(String name, Supplier<Plugin> maker) {
        return of(name, (_, _) -> maker.get());
    }

    static InTreePlugin of(String name, Function<Arguments, Plugin> maker) {
        return of(name, (arguments, _) -> maker.apply(arguments));
    }

    static InTreePlugin of(String name, BiFunction<Arguments, Handle, Plugin> maker) {
        return new InTreePlugin(name, 0, "", true, Set.of(), _ -> Set.of(), maker);
    }

    /// A plugin that can be named in a configuration and is left out.
    static InTreePlugin missing(String name, String... points) {
        return new InTreePlugin(
                name,
                0,
                "",
                true,
                Set.of(points),
                _ -> Set.of(),
                (_, _) -> {
                    throw new IllegalStateException("there is no plugin " + name);
                });
    }

    InTreePlugin weighing(int scores) {
        return new InTreePlugin(name, scores, gate, isDefault, missingPoints, looksAt, maker);
    }

    InTreePlugin behind(String feature) {
        return new InTreePlugin(name, weight, feature, isDefault, missingPoints, looksAt, maker);
    }

    InTreePlugin onRequest() {
        return new InTreePlugin(name, weight, gate, false, missingPoints, looksAt, maker);
    }

    InTreePlugin lookingAt(Kind... kinds) {
        return lookingAt(_ -> Set.of(kinds));
    }

    InTreePlugin lookingAt(Function<Arguments, Set<Kind>> kinds) {
        return new InTreePlugin(name, weight, gate, isDefault, missingPoints, kinds, maker);
    }

    boolean isHere() {
        return missingPoints.isEmpty();
    }

    EnabledPlugin enabled() {
        return new EnabledPlugin(name, weight);
    }

    @Override
    public Plugin create(Arguments arguments, Handle handle) {
        return maker.apply(arguments, handle);
    }

    @Override
    public Set<Kind> kinds(Arguments arguments) {
        return looksAt.apply(arguments);
    }
}
