package io.berth.engine.queue;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.HintFunction;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Plugin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which events the plugins of one profile wait for, with their hint functions, in the order of the
/// plugins.
public final class HintMap {
    /// Stands for all extenders among the plugins that refuse pods.
    public static final String EXTENDER = "Extender";

    private static final int MAX_REMEMBERED = 1000;

    private static final List<Registration> EVERYTHING =
            List.of(
                    Registration.of(ClusterEvent.POD, Action.ALL),
                    Registration.of(ClusterEvent.NODE, Action.ALL),
                    Registration.of(ClusterEvent.PERSISTENT_VOLUME, Action.ALL),
                    Registration.of(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.ALL),
                    Registration.of(ClusterEvent.CSI_NODE, Action.ALL),
                    Registration.of(ClusterEvent.CSI_DRIVER, Action.ALL),
                    Registration.of(ClusterEvent.CSI_STORAGE_CAPACITY, Action.ALL),
                    Registration.of(ClusterEvent.STORAGE_CLASS, Action.ALL),
                    Registration.of(ClusterEvent.RESOURCE_CLAIM, Action.ALL),
                    Registration.of(ClusterEvent.DEVICE_CLASS, Action.ALL));

    /// One event that one plugin waits for.
    record Entry(String plugin, ClusterEvent event, HintFunction hint) {}

    private final Map<String, List<ClusterEvent>> eventsByPlugin = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private final Map<ClusterEvent, List<Entry>> remembered = new HashMap<>();

    private HintMap(Map<String, List<Entry>> byPlugin) {
        byPlugin.forEach((plugin, ofPlugin) -> {
            entries.addAll(ofPlugin);
            eventsByPlugin.put(plugin, ofPlugin.stream().map(Entry::event).toList());
        });
    }

    /// @param refusing the plugins enabled at PreEnqueue, PreFilter, Filter, Reserve or Permit, in
    ///   order; one that is named twice counts once
    /// @param extenders whether the profile asks extenders
    public static HintMap of(Collection<? extends Plugin> refusing, boolean extenders) {
        var byPlugin = new LinkedHashMap<String, List<Entry>>();
        for (var plugin : refusing) {
            byPlugin.computeIfAbsent(plugin.name(), name -> entries(name, registrations(plugin)));
        }
        if (extenders) {
            byPlugin.put(EXTENDER, entries(EXTENDER, EVERYTHING));
        }
        return new HintMap(byPlugin);
    }

    private static List<Registration> registrations(Plugin plugin) {
        if (!(plugin instanceof Events events)) {
            return EVERYTHING;
        }
        try {
            return events.events();
        } catch (RuntimeException failure) {
            throw new IllegalStateException(
                    "plugin "
                            + plugin.name()
                            + " failed to name the events it waits for: "
                            + failure.getMessage(),
                    failure);
        }
    }

    private static List<Entry> entries(String plugin, List<Registration> registrations) {
        var entries = new ArrayList<Entry>();
        boolean nodeAdded = false;
        boolean taintChanged = false;
        for (var registration : registrations) {
            var event = registration.event();
            entries.add(new Entry(plugin, event, registration.hint()));
            if (event.resource().equals(ClusterEvent.NODE)) {
                nodeAdded |= (event.actions() & Action.ADD) != 0;
                taintChanged |= (event.actions() & Action.UPDATE_NODE_TAINT) != 0;
            }
        }
        if (nodeAdded && !taintChanged) {
            // Upstream once hid new nodes from plugins until their taints were gone, and let the
            // change of taints stand in for the addition. The hiding is gone, this has stayed.
            var taint = ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT);
            entries.add(new Entry(plugin, taint, HintFunction.ALWAYS));
        }
        return List.copyOf(entries);
    }

    /// The union of the actions that plugins wait for on a resource, 0 where nobody does. Tells
    /// which resources need to be watched.
    public int actionsOn(String resource) {
        int actions = 0;
        for (var entry : entries) {
            if (entry.event.resource().equals(resource)
                    || entry.event.resource().equals(ClusterEvent.ANY)) {
                actions |= entry.event.actions();
            }
        }
        return actions;
    }

    /// All registered events, in the order of the plugins.
    public List<ClusterEvent> registeredEvents() {
        return entries.stream().map(Entry::event).distinct().toList();
    }

    List<ClusterEvent> eventsOf(String plugin) {
        return eventsByPlugin.getOrDefault(plugin, List.of());
    }

    /// Who hears of an event.
    List<Entry> hearing(ClusterEvent incoming) {
        var known = remembered.get(incoming);
        if (known != null) {
            return known;
        }
        if (remembered.size() >= MAX_REMEMBERED) {
            remembered.clear();
        }
        var hearing = entries.stream().filter(entry -> entry.event.matches(incoming)).toList();
        remembered.put(incoming, hearing);
        return hearing;
    }
}
