package io.berth.api.relax;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Plugin;
import java.util.List;

/// A plugin that can tell what would have to change for it to let a pod pass.
///
/// Asked when somebody wants to know why a pod has no place, never in an attempt. A proposal need
/// not be certain to help: each is tried with the whole profile before anybody hears of it.
public interface Relaxable extends Plugin {
    /// The better proposals come first; a dozen at most is looked at.
    ///
    /// @param obstacles some nodes that this plugin refuses, at least one
    List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles);
}
