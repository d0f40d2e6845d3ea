package io.berth.plugins.noderesources;

import io.berth.api.amount.Resources;
import io.berth.plugins.arguments.ArgumentReader;
import java.util.List;

/// A resource and how much it counts in a score.
public record ResourceWeight(String name, long weight) {
    static final List<ResourceWeight> CPU_AND_MEMORY =
            List.of(new ResourceWeight(Resources.CPU, 1), new ResourceWeight(Resources.MEMORY, 1));

    static List<String> names(List<ResourceWeight> resources) {
        return resources.stream().map(ResourceWeight::name).toList();
    }

    /// Reads a list; an absent or empty one means cpu and memory, a weight of 0 means 1.
    static List<ResourceWeight> listIn(ArgumentReader reader, String field) {
        var resources =
                reader.objects(field).stream()
                        .map(entry -> {
                            var name = entry.text("name", "");
                            long weight = entry.longInteger("weight", 0);
                            entry.finish();
                            return new ResourceWeight(name, weight == 0 ? 1 : weight);
                        })
                        .toList();
        return resources.isEmpty() ? CPU_AND_MEMORY : resources;
    }
}
