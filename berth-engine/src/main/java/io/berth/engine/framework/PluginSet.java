package io.berth.engine.framework;

import io.berth.api.plugin.Plugin;

/// A handful of plugins, told apart by identity. Made for the few that sit an attempt out: smaller
/// and faster than a hash set of names. Owned by the engine thread.
public final class PluginSet {
    private Plugin[] members = new Plugin[8];
    private int size;

    public void add(Plugin plugin) {
        if (size == members.length) {
            members = java.util.Arrays.copyOf(members, 2 * size);
        }
        members[size++] = plugin;
    }

    @SuppressWarnings("ReferenceEquality") // one instance per profile
    public boolean contains(Plugin plugin) {
        for (int i = 0; i < size; i++) {
            if (members[i] == plugin) {
                return true;
            }
        }
        return false;
    }
}
