package com.example.rackpower;

import io.berth.api.handle.Handle;
import io.berth.api.model.Kind;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import java.util.Set;

/// Named in `META-INF/services`, so that Berth finds it in the jar.
public final class RackPowerFactory implements PluginFactory {
    @Override
    public String name() {
        return RackPower.NAME;
    }

    @Override
    public Plugin create(Arguments arguments, Handle handle) {
        return new RackPower(RackPowerArguments.of(arguments), handle);
    }

    /// Beside pods and nodes we look at racks, where we are asked to.
    @Override
    public Set<Kind> kinds(Arguments arguments) {
        return RackPowerArguments.of(arguments).watchRacks() ? Set.of(Racks.KIND) : Set.of();
    }
}
