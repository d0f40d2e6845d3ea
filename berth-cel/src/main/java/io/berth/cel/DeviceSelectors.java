package io.berth.cel;

import java.util.LinkedHashMap;
import java.util.Map;

/// Selectors by their text, the most recently used ones. To compile one that is not of the ordinary
/// sort takes milliseconds, and the very first most of a second, so none is compiled twice while it
/// is in use.
///
/// Used by one thread.
public final class DeviceSelectors {
    private static final int DEFAULT_SIZE = 256;

    /// What became of an expression.
    private sealed interface Outcome {
        record Understood(DeviceSelector selector) implements Outcome {}

        record Broken(String message) implements Outcome {}
    }

    private final boolean isCapacityConsumable;
    private final Map<String, Outcome> outcomes;

    /// @param isCapacityConsumable whether expressions may ask for `allowMultipleAllocations`
    public DeviceSelectors(boolean isCapacityConsumable) {
        this(isCapacityConsumable, DEFAULT_SIZE);
    }

    DeviceSelectors(boolean isCapacityConsumable, int size) {
        this.isCapacityConsumable = isCapacityConsumable;
        this.outcomes =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Outcome> eldest) {
                        return size() > size;
                    }
                };
    }

    /// @throws SelectorException where the expression cannot be understood
    public DeviceSelector of(String expression) throws SelectorException {
        var known = outcomes.get(expression);
        if (known == null) {
            known = understand(expression);
            outcomes.put(expression, known);
        }
        return switch (known) {
            case Outcome.Understood(var selector) -> selector;
            case Outcome.Broken(var message) ->
                    throw new SelectorException(SelectorException.Stage.COMPILE, message);
        };
    }

    private Outcome understand(String expression) {
        try {
            return new Outcome.Understood(DeviceSelector.of(expression, isCapacityConsumable));
        } catch (SelectorException broken) {
            return new Outcome.Broken(String.valueOf(broken.getMessage()));
        }
    }

    int size() {
        return outcomes.size();
    }
}
