package io.berth.plugins.legacy;

import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;
import java.util.List;

/// @param affinityLabels all pods of a service go to nodes with equal values of these labels
/// @param antiAffinityLabelsPreference the pods of a service are spread over the values of these
public record ServiceAffinityArguments(
        List<String> affinityLabels, List<String> antiAffinityLabelsPreference) {
    public static final ServiceAffinityArguments DEFAULT =
            new ServiceAffinityArguments(List.of(), List.of());

    public ServiceAffinityArguments {
        affinityLabels = List.copyOf(affinityLabels);
        antiAffinityLabelsPreference = List.copyOf(antiAffinityLabelsPreference);
    }

    /// @throws IllegalArgumentException with every problem of the arguments
    public static ServiceAffinityArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        var parsed =
                new ServiceAffinityArguments(
                        reader.texts("affinityLabels"),
                        reader.texts("antiAffinityLabelsPreference"));
        reader.finish();
        reader.problems().throwIfAny();
        return parsed;
    }
}
