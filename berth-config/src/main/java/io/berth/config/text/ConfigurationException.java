package io.berth.config.text;

import java.util.List;

/// A configuration that cannot be used. The message is for the operator and names all that is
/// wrong.
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    public ConfigurationException(String message) {
        this(List.of(message), "");
    }

    public ConfigurationException(List<String> problems) {
        this(problems, "");
    }

    /// @param place where in the text, as a suffix of the message
    public ConfigurationException(List<String> problems, String place) {
        super(together(problems) + place);
        this.problems =
                place.isEmpty() ? List.copyOf(problems) : List.of(together(problems) + place);
    }

    /// One by one, as far as they can be told apart.
    public List<String> problems() {
        return problems;
    }

    /// Several errors in one line (rule P-49): duplicates are told once, in order.
    public static String together(List<String> problems) {
        var distinct = problems.stream().distinct().toList();
        return distinct.size() == 1 ? distinct.getFirst() : "[" + String.join(", ", distinct) + "]";
    }
}
