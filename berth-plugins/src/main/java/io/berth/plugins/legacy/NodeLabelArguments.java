package io.berth.plugins.legacy;

import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;
import java.util.List;

/// Labels that nodes must have or must lack, and labels that they had better have or lack.
public record NodeLabelArguments(
        List<String> presentLabels,
        List<String> absentLabels,
        List<String> presentLabelsPreference,
        List<String> absentLabelsPreference) {
    public static final NodeLabelArguments DEFAULT =
            new NodeLabelArguments(List.of(), List.of(), List.of(), List.of());

    public NodeLabelArguments {
        presentLabels = List.copyOf(presentLabels);
        absentLabels = List.copyOf(absentLabels);
        presentLabelsPreference = List.copyOf(presentLabelsPreference);
        absentLabelsPreference = List.copyOf(absentLabelsPreference);
    }

    /// @throws IllegalArgumentException with every problem of the arguments
    public static NodeLabelArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        var parsed =
                new NodeLabelArguments(
                        reader.texts("presentLabels"),
                        reader.texts("absentLabels"),
                        reader.texts("presentLabelsPreference"),
                        reader.texts("absentLabelsPreference"));
        check(reader, "presentLabels", "absentLabels", parsed.presentLabels, parsed.absentLabels);
        check(
                reader,
                "presentLabelsPreference",
                "absentLabelsPreference",
                parsed.presentLabelsPreference,
                parsed.absentLabelsPreference);
        reader.finish();
        reader.problems().throwIfAny();
        return parsed;
    }

    private static void check(
            ArgumentReader reader,
            String presentField,
            String absentField,
            List<String> present,
            List<String> absent) {
        for (int i = 0; i < absent.size(); i++) {
            int j = present.indexOf(absent.get(i));
            if (j >= 0) {
                reader.problems()
                        .invalid(
                                reader.path(presentField + "[" + j + "]"),
                                absent.get(i),
                                "conflict with " + reader.path(absentField + "[" + i + "]"));
            }
        }
    }
}
