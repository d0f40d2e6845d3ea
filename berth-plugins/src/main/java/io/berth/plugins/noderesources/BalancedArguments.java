package io.berth.plugins.noderesources;

import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;
import java.util.HashSet;
import java.util.List;

/// Arguments of [NodeResourcesBalancedAllocation].
public record BalancedArguments(List<ResourceWeight> resources) {
    public static final BalancedArguments DEFAULT =
            new BalancedArguments(ResourceWeight.CPU_AND_MEMORY);

    public BalancedArguments {
        resources = List.copyOf(resources);
    }

    /// @throws IllegalArgumentException with every problem of the arguments
    public static BalancedArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        var resources = ResourceWeight.listIn(reader, "resources");
        var seen = new HashSet<String>();
        for (int i = 0; i < resources.size(); i++) {
            var path = reader.path("resources[" + i + "]");
            if (!seen.add(resources.get(i).name())) {
                reader.problems().duplicate(path + ".name", resources.get(i).name());
            }
            if (resources.get(i).weight() != 1) {
                reader.problems().invalid(path + ".weight", resources.get(i).weight(), "must be 1");
            }
        }
        reader.finish();
        reader.problems().throwIfAny();
        return new BalancedArguments(resources);
    }
}
