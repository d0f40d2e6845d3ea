package io.berth.app.option;

import java.util.List;

/// Options that are well formed and yet cannot be used. The message tells all problems.
public final class OptionsException extends RuntimeException {
    public OptionsException(List<String> problems) {
        super(Aggregate.text(problems));
    }

    public OptionsException(String problem) {
        super(problem);
    }
}
