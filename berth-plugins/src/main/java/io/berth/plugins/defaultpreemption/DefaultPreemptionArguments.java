package io.berth.plugins.defaultpreemption;

import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;

/// How many nodes a preemption looks at (rules DP-1, DP-2).
public record DefaultPreemptionArguments(
        int minCandidateNodesPercentage, int minCandidateNodesAbsolute) {
    public static final DefaultPreemptionArguments DEFAULT =
            new DefaultPreemptionArguments(10, 100);

    /// @throws IllegalArgumentException where the arguments make no sense
    public static DefaultPreemptionArguments of(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        var args =
                new DefaultPreemptionArguments(
                        reader.integer(
                                "minCandidateNodesPercentage", DEFAULT.minCandidateNodesPercentage),
                        reader.integer(
                                "minCandidateNodesAbsolute", DEFAULT.minCandidateNodesAbsolute));
        reader.finish();
        args.check(reader);
        reader.problems().throwIfAny();
        return args;
    }

    private void check(ArgumentReader reader) {
        var problems = reader.problems();
        if (minCandidateNodesPercentage < 0 || minCandidateNodesPercentage > 100) {
            problems.invalid(
                    reader.path("minCandidateNodesPercentage"),
                    minCandidateNodesPercentage,
                    "not in valid range [0, 100]");
        }
        if (minCandidateNodesAbsolute < 0) {
            problems.invalid(
                    reader.path("minCandidateNodesAbsolute"),
                    minCandidateNodesAbsolute,
                    "not in valid range [0, inf)");
        }
        if (minCandidateNodesPercentage == 0 && minCandidateNodesAbsolute == 0) {
            problems.invalid(
                    reader.path("minCandidateNodesPercentage"),
                    minCandidateNodesPercentage,
                    "cannot be zero at the same time as minCandidateNodesAbsolute");
            problems.invalid(
                    reader.path("minCandidateNodesAbsolute"),
                    minCandidateNodesAbsolute,
                    "cannot be zero at the same time as minCandidateNodesPercentage");
        }
    }

    /// How many candidates are enough among so many nodes.
    int candidates(int nodes) {
        long wanted = (long) nodes * minCandidateNodesPercentage / 100;
        return (int) Math.min(nodes, Math.max(wanted, minCandidateNodesAbsolute));
    }
}
