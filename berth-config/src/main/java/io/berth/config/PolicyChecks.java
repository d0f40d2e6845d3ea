package io.berth.config;

import io.berth.config.text.JsonWriter;
import io.berth.config.text.Problems;
import io.berth.config.text.Value.Fields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Checks a legacy policy (rule P-118).
final class PolicyChecks {
    /// What a plugin's weight cannot hold.
    private static final long TOO_HEAVY = Integer.MAX_VALUE + 1L;

    private final Problems problems;
    private final Map<String, Fields> customs = new HashMap<>();

    private PolicyChecks(Problems problems) {
        this.problems = problems;
    }

    static void check(Fields policy, List<ExtenderConfiguration> extenders, Problems problems) {
        var checks = new PolicyChecks(problems);
        policy.objects("priorities").forEach(checks::priority);
        new ExtenderChecks(problems).check(extenders);
        long weight = policy.number("hardPodAffinitySymmetricWeight", 0);
        if (weight < 0 || weight > 100) {
            problems.invalid(
                    "hardPodAffinitySymmetricWeight", weight, "not in valid range [0-100]");
        }
    }

    private void priority(Fields priority) {
        var name = priority.text("name", "");
        long weight = priority.number("weight", 0);
        if (weight <= 0 || weight >= TOO_HEAVY) {
            problems.add(
                    "priority %s should have a positive weight applied to it or it has overflown"
                            .formatted(name));
        }
        if (!priority.has("argument")) {
            return;
        }
        var argument = priority.fields("argument");
        if (argument.has("labelPreference")) {
            sameWeight("LabelPreference", priority);
        } else if (argument.has("serviceAntiAffinity")) {
            sameWeight("ServiceAntiAffinity", priority);
        } else if (argument.has("requestedToCapacityRatioArguments")) {
            once(priority);
        } else {
            problems.add("no priority arguments set for priority " + name);
        }
    }

    private void sameWeight(String type, Fields priority) {
        var earlier = customs.put(type, priority);
        if (earlier != null && earlier.number("weight", 0) != priority.number("weight", 0)) {
            problems.add(
                    "%s  priority %s has a different weight with %s"
                            .formatted(type, quotedName(priority), quotedName(earlier)));
        }
    }

    private void once(Fields priority) {
        var earlier = customs.putIfAbsent("RequestedToCapacityRatio", priority);
        if (earlier != null) {
            problems.add(
                    "priority %s redeclares custom priority \"RequestedToCapacityRatio\", from: %s"
                            .formatted(quotedName(priority), quotedName(earlier)));
        }
    }

    private static String quotedName(Fields priority) {
        return JsonWriter.quoted(priority.text("name", ""));
    }
}
