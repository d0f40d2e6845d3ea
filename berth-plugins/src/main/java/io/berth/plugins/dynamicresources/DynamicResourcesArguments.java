package io.berth.plugins.dynamicresources;

import io.berth.api.amount.GoDuration;
import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;
import java.time.Duration;

/// Arguments of [DynamicResources] (contract rule DR-1). They were checked when the configuration
/// was read.
///
/// @param filterTimeout how long a search on one node may take; zero for as long as it takes
/// @param bindingTimeout how long a pod waits for its devices once its node is chosen
public record DynamicResourcesArguments(Duration filterTimeout, Duration bindingTimeout) {
    public static final DynamicResourcesArguments DEFAULT =
            new DynamicResourcesArguments(Duration.ofSeconds(10), Duration.ofMinutes(10));

    /// @throws IllegalArgumentException with every problem of the arguments
    public static DynamicResourcesArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        var filterTimeout = duration(reader, "filterTimeout", DEFAULT.filterTimeout);
        var bindingTimeout = duration(reader, "bindingTimeout", DEFAULT.bindingTimeout);
        reader.finish();
        reader.problems().throwIfAny();
        return new DynamicResourcesArguments(filterTimeout, bindingTimeout);
    }

    private static Duration duration(ArgumentReader reader, String field, Duration otherwise) {
        String text = reader.text(field, GoDuration.format(otherwise));
        try {
            return GoDuration.parse(text);
        } catch (IllegalArgumentException malformed) {
            reader.problems()
                    .invalid(reader.path(field), text, String.valueOf(malformed.getMessage()));
            return otherwise;
        }
    }
}
