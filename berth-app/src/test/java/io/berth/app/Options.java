package io.berth.app;

import io.berth.app.flag.FlagException;
import io.berth.app.option.SchedulerOptions;
import java.util.List;

/// Options from flags, for tests.
public final class Options {
    private Options() {}

    public static SchedulerOptions of(String... words) {
        try {
            var flags = SchedulerFlags.SET.parse(List.of(words));
            return SchedulerOptions.from(flags, SchedulerFlags.SET.valueTexts(flags));
        } catch (FlagException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }
}
