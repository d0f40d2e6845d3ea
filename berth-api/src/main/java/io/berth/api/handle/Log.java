package io.berth.api.handle;

import org.jspecify.annotations.Nullable;

/// Where log lines go: a fixed sentence plus alternating keys and values. Levels are those of klog:
/// higher is more talkative.
public interface Log {
    Log NONE =
            new Log() {
                @Override
                public boolean isOn(int level) {
                    return false;
                }

                @Override
                public void info(int level, String sentence, @Nullable Object... keysAndValues) {}

                @Override
                public void error(
                        @Nullable Throwable cause,
                        String sentence,
                        @Nullable Object... keysAndValues) {}
            };

    boolean isOn(int level);

    void info(int level, String sentence, @Nullable Object... keysAndValues);

    void error(@Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues);
}
