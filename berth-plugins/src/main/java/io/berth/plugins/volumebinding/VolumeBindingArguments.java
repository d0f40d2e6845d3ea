package io.berth.plugins.volumebinding;

import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;
import io.berth.plugins.noderesources.BrokenLinear;
import java.time.Duration;
import java.util.List;

/// Arguments of [VolumeBinding] (VB-1). They were checked when the configuration was read.
///
/// @param bindTimeout how long a pod waits for its volumes once its node is chosen
/// @param shape how the use of storage is turned into a score; empty where it is not
public record VolumeBindingArguments(Duration bindTimeout, List<BrokenLinear.Point> shape) {
    public static final VolumeBindingArguments DEFAULT =
            new VolumeBindingArguments(Duration.ofMinutes(10), List.of());

    /// What counts where the gate StorageCapacityScoring is on and nobody says otherwise.
    static final List<BrokenLinear.Point> DEFAULT_SHAPE =
            List.of(new BrokenLinear.Point(0, 10), new BrokenLinear.Point(100, 0));

    public VolumeBindingArguments {
        shape = List.copyOf(shape);
    }

    /// @throws IllegalArgumentException with every problem of the arguments
    public static VolumeBindingArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        long seconds = reader.longInteger("bindTimeoutSeconds", DEFAULT.bindTimeout.toSeconds());
        if (seconds < 0) {
            reader.problems()
                    .invalid(
                            reader.path("bindTimeoutSeconds"),
                            seconds,
                            "invalid BindTimeoutSeconds, should not be a negative value");
        }
        var shape =
                reader.objects("shape").stream()
                        .map(entry -> {
                            var point =
                                    new BrokenLinear.Point(
                                            entry.integer("utilization", 0),
                                            entry.integer("score", 0));
                            entry.finish();
                            return point;
                        })
                        .toList();
        reader.finish();
        reader.problems().throwIfAny();
        return new VolumeBindingArguments(Duration.ofSeconds(seconds), shape);
    }
}
