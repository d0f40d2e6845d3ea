package io.berth.api.plugin;

import io.berth.api.event.Registration;
import java.util.List;

/// Names the events that may make pods schedulable which the plugin has refused. A plugin without
/// it is taken to care about every event (upstream: EnqueueExtensions).
public interface Events extends Plugin {
    /// An empty list means that no event helps.
    List<Registration> events();
}
