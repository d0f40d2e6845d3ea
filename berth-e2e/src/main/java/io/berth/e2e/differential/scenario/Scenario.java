package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// A cluster and the pod that both schedulers are asked to place in it.
///
/// @param objects nodes, bound pods and whatever else there is
public record Scenario(List<ObjectNode> objects, ObjectNode pod) {
    public Scenario {
        objects = List.copyOf(objects);
    }

    public String yaml() {
        var all = new ArrayList<>(objects);
        all.add(pod);
        return Yaml.of(all);
    }
}
