package io.berth.config;

import io.berth.api.amount.ResourceName;
import io.berth.api.label.LabelSyntax;
import io.berth.config.text.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks the extenders of a configuration (rule P-98).
final class ExtenderChecks {
    private final Problems problems;

    ExtenderChecks(Problems problems) {
        this.problems = problems;
    }

    void check(List<ExtenderConfiguration> extenders) {
        var managed = new HashSet<String>();
        for (int i = 0; i < extenders.size(); i++) {
            var extender = extenders.get(i);
            var path = "extenders[" + i + "]";
            if (!extender.prioritizeVerb().isEmpty() && extender.weight() <= 0) {
                problems.invalid(
                        path + ".weight",
                        extender.weight(),
                        "must have a positive weight applied to it");
            }
            managedResources(path + ".managedResources", extender, managed);
        }
        long binders = extenders.stream().filter(one -> !one.bindVerb().isEmpty()).count();
        if (binders > 1) {
            problems.invalid(
                    "extenders",
                    "found " + binders + " extenders implementing bind",
                    "only one extender can implement bind");
        }
    }

    private void managedResources(
            String path, ExtenderConfiguration extender, Set<String> managed) {
        for (int j = 0; j < extender.managedResources().size(); j++) {
            var name = extender.managedResources().get(j).name();
            var here = path + "[" + j + "].name";
            var malformed = LabelSyntax.problemsOfKey(name);
            malformed.forEach(detail -> problems.invalid(here, name, detail));
            if (malformed.isEmpty() && !ResourceName.isExtended(name)) {
                problems.invalid(here, name, "is an invalid extended resource name");
            }
            if (!managed.add(name)) {
                problems.invalid(here, name, "duplicate extender managed resource name");
            }
        }
    }
}
