package com.example.rackpower;

import io.berth.api.plugin.Arguments;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The arguments as the configuration file has them:
///
/// ```yaml
/// pluginConfig:
/// - name: RackPower
///   args:
///     rackLabel: example.com/rack     # of nodes; this is the default
///     wattsLabel: example.com/watts   # of pods; this is the default
///     budgets: {rack-1: 4000, rack-2: 4000}
///     watchRacks: true                # objects of the kind Rack say more; off by default
/// ```
///
/// @param budgets watts by rack
/// @param watchRacks whether objects of the kind Rack tell of budgets, too
record RackPowerArguments(
        String rackLabel, String wattsLabel, Map<String, Long> budgets, boolean watchRacks) {
    private static final Set<String> FIELDS =
            Set.of("rackLabel", "wattsLabel", "budgets", "watchRacks");

    static RackPowerArguments of(Arguments arguments) {
        var values = arguments.values();
        for (var field : values.keySet()) {
            if (!FIELDS.contains(field)) {
                throw new IllegalArgumentException(field + ": unknown field");
            }
        }
        return new RackPowerArguments(
                text(values, "rackLabel", "example.com/rack"),
                text(values, "wattsLabel", "example.com/watts"),
                budgets(values.getOrDefault("budgets", Map.of())),
                flag(values, "watchRacks"));
    }

    private static boolean flag(Map<String, Object> values, String field) {
        if (values.getOrDefault(field, false) instanceof Boolean flag) {
            return flag;
        }
        throw new IllegalArgumentException(field + ": must be true or false");
    }

    private static String text(Map<String, Object> values, String field, String ifAbsent) {
        if (values.getOrDefault(field, ifAbsent) instanceof String text && !text.isEmpty()) {
            return text;
        }
        throw new IllegalArgumentException(field + ": must be a label");
    }

    private static Map<String, Long> budgets(Object value) {
        if (!(value instanceof Map<?, ?> given)) {
            throw new IllegalArgumentException("budgets: must be watts by rack");
        }
        var budgets = new HashMap<String, Long>();
        given.forEach((rack, watts) -> {
            if (!(watts instanceof Number number) || number.longValue() < 0) {
                throw new IllegalArgumentException(
                        "budgets." + rack + ": must be a number of watts");
            }
            budgets.put(String.valueOf(rack), number.longValue());
        });
        return Map.copyOf(budgets);
    }
}
