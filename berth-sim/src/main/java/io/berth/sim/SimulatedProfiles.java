package io.berth.sim;

import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.plugins.InTree;
import io.berth.plugins.defaultpreemption.DefaultPreemption;
import io.berth.plugins.defaultpreemption.DefaultPreemptionArguments;
import io.berth.sim.fault.Doorkeeper;
import io.berth.sim.fault.FlakyPlugin;
import io.berth.sim.fault.Mishaps;
import io.berth.sim.invariant.DecisionCheck;
import io.berth.sim.invariant.ImageCheck;
import io.berth.sim.invariant.PlainImages;
import io.berth.sim.invariant.PreemptionCheck;
import io.berth.sim.invariant.Preemptions;
import io.berth.sim.invariant.SharedPorts;
import io.berth.sim.invariant.Turns;
import io.berth.sim.time.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/// The profiles of a simulated scheduler: the default one and a leaner one, both with the plugins
/// that watch, and with those that break where the scenario has them.
final class SimulatedProfiles {
    static final List<String> SCHEDULERS = List.of("default-scheduler", "lean-scheduler");

    /// The lean profile goes without these.
    private static final Set<String> NOT_LEAN =
            Set.of(
                    "InterPodAffinity",
                    DefaultPreemption.NAME,
                    "NodeResourcesBalancedAllocation",
                    "ImageLocality");

    private final Scenario scenario;
    private final Mishaps mishaps;
    private final Chance chance;
    private final Consumer<String> story;
    private final BiConsumer<Long, Runnable> later;
    private final Preemptions preemptions;
    private final SharedPorts sharedPorts;
    private final PlainImages images;
    private final Turns turns;

    SimulatedProfiles(
            Scenario scenario,
            Mishaps mishaps,
            Chance chance,
            Consumer<String> story,
            BiConsumer<Long, Runnable> later,
            Preemptions preemptions,
            SharedPorts sharedPorts,
            PlainImages images,
            Turns turns) {
        this.turns = turns;
        this.sharedPorts = sharedPorts;
        this.images = images;
        this.scenario = scenario;
        this.mishaps = mishaps;
        this.chance = chance;
        this.story = story;
        this.later = later;
        this.preemptions = preemptions;
    }

    List<ProfileSettings> settings() {
        var all = InTree.defaults();
        var lean = all.stream().filter(plugin -> !NOT_LEAN.contains(plugin.name())).toList();
        return List.of(
                ProfileSettings.of(SCHEDULERS.get(0), watched(all)),
                ProfileSettings.of(SCHEDULERS.get(1), watched(lean)));
    }

    /// The same profiles without anything that watches or breaks: for a second opinion.
    static List<ProfileSettings> plain() {
        var all = InTree.defaults();
        var lean = all.stream().filter(plugin -> !NOT_LEAN.contains(plugin.name())).toList();
        return List.of(
                ProfileSettings.of(SCHEDULERS.get(0), all),
                ProfileSettings.of(SCHEDULERS.get(1), lean));
    }

    private List<EnabledPlugin> watched(List<EnabledPlugin> inTree) {
        var plugins = new ArrayList<EnabledPlugin>();
        plugins.add(new EnabledPlugin(DecisionCheck.NAME, 0));
        plugins.add(new EnabledPlugin(ImageCheck.NAME, 0));
        plugins.addAll(inTree);
        if (scenario.mishaps() > 0) {
            plugins.add(new EnabledPlugin(FlakyPlugin.FlakyFilter.NAME, 0));
            plugins.add(new EnabledPlugin(FlakyPlugin.NAME, 1));
            plugins.add(new EnabledPlugin(FlakyPlugin.FlakyNeighbour.NAME, 0));
        }
        if (scenario.hasDoorkeeper()) {
            plugins.add(new EnabledPlugin(Doorkeeper.NAME, 0));
        }
        return plugins;
    }

    Registry registry() {
        var registry = Registry.of(InTree.factories());
        registry.unregister(DefaultPreemption.NAME);
        registry.register(
                factory(
                        DefaultPreemption.NAME,
                        handle ->
                                new PreemptionCheck(
                                        new DefaultPreemption(
                                                DefaultPreemptionArguments.DEFAULT, handle),
                                        handle,
                                        story,
                                        preemptions,
                                        sharedPorts,
                                        mishaps)));
        registry.register(
                factory(
                        DecisionCheck.NAME,
                        handle -> new DecisionCheck(handle, story, sharedPorts, turns)));
        registry.register(factory(ImageCheck.NAME, handle -> new ImageCheck(handle, images)));
        registry.register(factory(FlakyPlugin.NAME, _ -> new FlakyPlugin(mishaps)));
        registry.register(
                factory(FlakyPlugin.FlakyFilter.NAME, _ -> new FlakyPlugin.FlakyFilter(mishaps)));
        registry.register(
                factory(
                        FlakyPlugin.FlakyNeighbour.NAME,
                        _ -> new FlakyPlugin.FlakyNeighbour(mishaps)));
        registry.register(
                factory(Doorkeeper.NAME, handle -> new Doorkeeper(handle, chance.split(), later)));
        return registry;
    }

    private static PluginFactory factory(String name, Function<Handle, Plugin> make) {
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
}
