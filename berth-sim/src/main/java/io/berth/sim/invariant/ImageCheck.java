package io.berth.sim.invariant;

import io.berth.api.event.Registration;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreFilterVerdict;
import java.util.List;

/// Looks at the images that nodes show at the begin of every attempt. Sits in the profile as a
/// plugin of its own.
public final class ImageCheck implements PreFilter, Events {
    public static final String NAME = "ImageCheck";

    private final Handle handle;
    private final PlainImages images;

    public ImageCheck(Handle handle, PlainImages images) {
        this.handle = handle;
        this.images = images;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Registration> events() {
        return List.of();
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        images.check(List.copyOf(handle.nodes().all()));
        return PreFilterVerdict.PASS;
    }
}
