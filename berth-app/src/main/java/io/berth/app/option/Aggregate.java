package io.berth.app.option;

import java.util.LinkedHashSet;
import java.util.List;

/// Several problems told as one: `[first, second]`, each once, in order.
public final class Aggregate {
    private Aggregate() {}

    public static String text(List<String> problems) {
        var distinct = new LinkedHashSet<>(problems);
        return distinct.size() == 1 ? distinct.getFirst() : "[" + String.join(", ", distinct) + "]";
    }
}
