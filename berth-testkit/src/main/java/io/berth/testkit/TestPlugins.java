package io.berth.testkit;

import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.plugin.QueueSort;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.write.Write;
import io.berth.engine.framework.ProfileSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/// The plugins of a scheduler for tests: who makes them, and which are enabled, in order.
///
/// ```java
/// var plugins = TestPlugins.of(InTree.factories(), InTree.defaults()).and(new MyPlugin(), 3);
/// var scheduler = TestScheduler.with(plugins.factories(), plugins.profile());
/// ```
public record TestPlugins(List<PluginFactory> factories, List<EnabledPlugin> enabled) {
    public TestPlugins {
        factories = List.copyOf(factories);
        enabled = List.copyOf(enabled);
    }

    public static TestPlugins of(
            Collection<? extends PluginFactory> factories, Collection<EnabledPlugin> enabled) {
        return new TestPlugins(List.copyOf(factories), List.copyOf(enabled));
    }

    /// A factory from a lambda.
    public static PluginFactory factory(String name, Function<Handle, Plugin> make) {
        return new PluginFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Plugin create(Arguments arguments, Handle handle) {
                return make.apply(handle);
            }
        };
    }

    /// A factory of a plugin that is there already.
    public static PluginFactory factory(Plugin plugin) {
        return factory(plugin.name(), _ -> plugin);
    }

    /// With one more, enabled after all others.
    public TestPlugins and(PluginFactory factory, int weight) {
        var more = new ArrayList<>(enabled);
        more.add(new EnabledPlugin(factory.name(), weight));
        return new TestPlugins(with(factory), more);
    }

    /// With one more, enabled after all others.
    public TestPlugins and(Plugin plugin, int weight) {
        return and(factory(plugin), weight);
    }

    /// With one more, enabled before all others.
    public TestPlugins startingWith(Plugin plugin) {
        var more = new ArrayList<>(enabled);
        more.addFirst(EnabledPlugin.of(plugin.name()));
        return new TestPlugins(with(factory(plugin)), more);
    }

    /// With the plugin of that name made by this factory.
    public TestPlugins madeBy(PluginFactory factory) {
        return new TestPlugins(with(factory), enabled);
    }

    /// With all but one enabled.
    public TestPlugins without(String name) {
        return new TestPlugins(
                factories, enabled.stream().filter(plugin -> !plugin.name().equals(name)).toList());
    }

    /// The default profile.
    public ProfileSettings profile() {
        return ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled);
    }

    private List<PluginFactory> with(PluginFactory factory) {
        var all = new ArrayList<>(factories);
        all.removeIf(other -> other.name().equals(factory.name()));
        all.add(factory);
        return all;
    }

    /// Higher priority first, then older.
    public record Order() implements QueueSort {
        @Override
        public String name() {
            return "Order";
        }

        @Override
        public boolean less(QueuedPod a, QueuedPod b) {
            int byPriority = Integer.compare(a.pod().spec().priority(), b.pod().spec().priority());
            return byPriority != 0 ? byPriority > 0 : a.timestampMillis() < b.timestampMillis();
        }
    }

    /// Binds in one request.
    public record Binder(Handle handle) implements Bind {
        @Override
        public String name() {
            return "Binder";
        }

        @Override
        public BindVerdict bind(Cycle cycle, Pod pod, String nodeName) {
            handle.writes().send(new Write.Bind(pod, nodeName));
            return BindVerdict.BOUND;
        }

        @Override
        public boolean isSingleWrite() {
            return true;
        }
    }
}
