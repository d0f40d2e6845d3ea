package io.berth.tools.explain;

import io.berth.engine.port.ClusterImage;
import io.berth.lab.explain.PriorityClass;
import io.berth.lab.explain.Source;
import java.util.List;

/// What was read of a cluster.
///
/// @param sentence where it comes from
/// @param version of the list of pods; empty where it has none
/// @param namespace the one that is meant where none is given
/// @param uncertain what could not be read, and what that makes uncertain
public record ClusterFacts(
        Source.Kind kind,
        String sentence,
        String version,
        String namespace,
        ClusterImage image,
        List<PriorityClass> classes,
        List<String> uncertain) {
    public ClusterFacts {
        classes = List.copyOf(classes);
        uncertain = List.copyOf(uncertain);
    }
}
