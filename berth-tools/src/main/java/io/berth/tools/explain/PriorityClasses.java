package io.berth.tools.explain;

import io.berth.config.text.Documents;
import io.berth.config.text.TextException;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.lab.explain.PriorityClass;
import java.util.List;
import java.util.Optional;

/// Reads priority classes from JSON.
final class PriorityClasses {
    private PriorityClasses() {}

    /// Those of a list; none where it is something else.
    static List<PriorityClass> ofList(byte[] json) {
        return object(json).map(list -> list.objects("items")).orElse(List.of()).stream()
                .flatMap(item -> of(item).stream())
                .toList();
    }

    /// Those of single objects.
    static List<PriorityClass> of(List<byte[]> objects) {
        return objects.stream()
                .flatMap(json -> object(json).stream())
                .flatMap(o -> of(o).stream())
                .toList();
    }

    private static Optional<Fields> object(byte[] json) {
        try {
            return Documents.read(json).value() instanceof Fields fields
                    ? Optional.of(fields)
                    : Optional.empty();
        } catch (TextException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<PriorityClass> of(Fields item) {
        String name = item.fields("metadata").text("name", "");
        if (name.isEmpty() || !(item.find("value") instanceof Value.Numeral)) {
            return Optional.empty();
        }
        return Optional.of(
                new PriorityClass(
                        name,
                        (int) item.number("value", 0),
                        !item.text("preemptionPolicy", "").equals("Never")));
    }
}
