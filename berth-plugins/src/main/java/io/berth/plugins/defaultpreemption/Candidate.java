package io.berth.plugins.defaultpreemption;

import io.berth.api.model.Pod;
import java.util.List;

/// A node that would fit without some pods.
///
/// @param victims these pods, the most important first
/// @param violations how many of them a disruption budget would protect
record Candidate(String node, List<Pod> victims, int violations) {
    Candidate {
        victims = List.copyOf(victims);
    }
}
