package io.berth.api.relax;

import io.berth.api.model.Node;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import java.util.List;

/// A node that a plugin refuses for a pod.
///
/// @param lacks what the node has too little of, where the plugin told
public record Obstacle(Node node, Refusal refusal, List<Lack> lacks) {
    public Obstacle {
        lacks = List.copyOf(lacks);
    }
}
