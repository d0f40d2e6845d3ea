package io.berth.plugins.interpodaffinity;

import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;

/// @param hardPodAffinityWeight what a required affinity of an existing pod for the incoming one
///   counts for in the score
/// @param ignorePreferredTermsOfExistingPods whether a pod without preferences of its own is scored
///   at all
public record InterPodAffinityArguments(
        int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods) {
    public static final InterPodAffinityArguments DEFAULT = new InterPodAffinityArguments(1, false);

    /// @throws IllegalArgumentException with every problem of the arguments
    public static InterPodAffinityArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        int weight = reader.integer("hardPodAffinityWeight", DEFAULT.hardPodAffinityWeight);
        if (weight < 0 || weight > 100) {
            reader.problems()
                    .invalid(
                            reader.path("hardPodAffinityWeight"),
                            weight,
                            "not in valid range [0, 100]");
        }
        boolean ignore = reader.flag("ignorePreferredTermsOfExistingPods", false);
        reader.finish();
        reader.problems().throwIfAny();
        return new InterPodAffinityArguments(weight, ignore);
    }
}
