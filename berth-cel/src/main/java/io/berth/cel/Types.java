package io.berth.cel;

import dev.cel.common.types.CelType;
import java.util.stream.Collectors;

/// Names of types, as error texts have them.
final class Types {
    private Types() {}

    static String text(CelType type) {
        return type.parameters().isEmpty()
                ? type.name()
                : type.name()
                        + type.parameters().stream()
                                .map(Types::text)
                                .collect(Collectors.joining(", ", "(", ")"));
    }
}
