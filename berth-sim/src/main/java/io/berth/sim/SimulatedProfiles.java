package io.berth.sim;

import static io.berth.testkit.TestPlugins.factory;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.plugins.InTree;
import io.berth.plugins.defaultpreemption.DefaultPreemption;
import io.berth.plugins.defaultpreemption.DefaultPreemptionArguments;
import io.berth.plugins.volumebinding.VolumeBinding;
import io.berth.plugins.volumebinding.VolumeBindingArguments;
import io.berth.sim.fault.Doorkeeper;
import io.berth.sim.fault.FlakyPlugin;
import io.berth.sim.fault.Mishaps;
import io.berth.sim.fault.Porter;
import io.berth.sim.invariant.Invariants;
import io.berth.sim.invariant.PreemptionCheck;
import io.berth.sim.scenario.Scenario;
import io.berth.sim.time.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// The profiles of a simulated scheduler: the default one and a leaner one, both with plugins that
/// break where the scenario has them. The default one without them is the shipped one.
final class SimulatedProfiles {
    static final List<String> SCHEDULERS = List.of("default-scheduler", "lean-scheduler");

    /// The gates about devices that upstream has on.
    static final Set<String> FEATURES =
            Set.of(
                    "DRAAdminAccess",
                    "DRAPrioritizedList",
                    "DRAPartitionableDevices",
                    "DRADeviceTaints",
                    "DRADeviceBindingConditions",
                    "DRAResourceClaimDeviceStatus",
                    "DRAConsumableCapacity");

    /// The lean profile goes without these.
    private static final Set<String> NOT_LEAN =
            Set.of(
                    "InterPodAffinity",
                    DefaultPreemption.NAME,
                    "NodeResourcesBalancedAllocation",
                    "ImageLocality");

    /// Of its own chance, so that a run without a porter stays as it was.
    private static final long PORTER_SALT = 0x1F83D9ABFB41BD6BL;

    private final Scenario scenario;
    private final Mishaps mishaps;
    private final Chance chance;
    private final Consumer<String> story;
    private final BiConsumer<Long, Runnable> later;
    private final Invariants invariants;
    private final Chance porterChance;

    SimulatedProfiles(
            Scenario scenario,
            Mishaps mishaps,
            Chance chance,
            Consumer<String> story,
            BiConsumer<Long, Runnable> later,
            Invariants invariants) {
        this.porterChance = new Chance(scenario.seed() ^ PORTER_SALT);
        this.scenario = scenario;
        this.mishaps = mishaps;
        this.chance = chance;
        this.story = story;
        this.later = later;
        this.invariants = invariants;
    }

    List<ProfileSettings> settings() {
        var all = InTree.defaults();
        var lean = all.stream().filter(plugin -> !NOT_LEAN.contains(plugin.name())).toList();
        return List.of(
                ProfileSettings.of(SCHEDULERS.get(0), troubled(all)),
                ProfileSettings.of(SCHEDULERS.get(1), troubled(lean)));
    }

    /// The same profiles without anything that breaks: for a second opinion.
    static EngineSettings plain() {
        var all = InTree.defaults();
        var lean = all.stream().filter(plugin -> !NOT_LEAN.contains(plugin.name())).toList();
        return EngineSettings.of(
                        List.of(
                                ProfileSettings.of(SCHEDULERS.get(0), all),
                                ProfileSettings.of(SCHEDULERS.get(1), lean)))
                .withFeatures(FEATURES);
    }

    private List<EnabledPlugin> troubled(List<EnabledPlugin> inTree) {
        var plugins = new ArrayList<>(inTree);
        if (scenario.mishaps() > 0) {
            plugins.add(new EnabledPlugin(FlakyPlugin.FlakyFilter.NAME, 0));
            plugins.add(new EnabledPlugin(FlakyPlugin.NAME, 1));
            plugins.add(new EnabledPlugin(FlakyPlugin.FlakyNeighbour.NAME, 0));
        }
        if (scenario.hasDoorkeeper()) {
            plugins.add(new EnabledPlugin(Doorkeeper.NAME, 0));
        }
        if (scenario.pressure().hasPorter()) {
            plugins.add(new EnabledPlugin(Porter.NAME, 0));
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
                                        invariants,
                                        mishaps)));
        registerVolumeBinding(registry);
        registerTroubles(registry, later);
        return registry;
    }

    /// The plugins for an engine that lives through the journal of this one: nobody watches, and
    /// what breaks by chance is on record.
    Registry replayed() {
        var registry = Registry.of(InTree.factories());
        registerVolumeBinding(registry);
        registerTroubles(registry, (millis, body) -> {});
        return registry;
    }

    private void registerVolumeBinding(Registry registry) {
        var arguments =
                new VolumeBindingArguments(
                        Duration.ofSeconds(scenario.pressure().bindSeconds()), List.of());
        registry.unregister(VolumeBinding.NAME);
        registry.register(
                factory(VolumeBinding.NAME, handle -> new VolumeBinding(arguments, handle)));
    }

    private void registerTroubles(Registry registry, BiConsumer<Long, Runnable> later) {
        registry.register(
                factory(
                        FlakyPlugin.NAME,
                        handle -> new FlakyPlugin(mishaps.through(handle::outside))));
        registry.register(
                factory(
                        FlakyPlugin.FlakyFilter.NAME,
                        handle -> new FlakyPlugin.FlakyFilter(mishaps.through(handle::outside))));
        registry.register(
                factory(
                        FlakyPlugin.FlakyNeighbour.NAME,
                        handle ->
                                new FlakyPlugin.FlakyNeighbour(mishaps.through(handle::outside))));
        registry.register(
                factory(
                        Doorkeeper.NAME,
                        handle ->
                                new Doorkeeper(
                                        handle, chance.split().through(handle::outside), later)));
        registry.register(
                factory(
                        Porter.NAME,
                        handle ->
                                new Porter(
                                        handle,
                                        porterChance.split().through(handle::outside),
                                        mishaps,
                                        later)));
    }
}
