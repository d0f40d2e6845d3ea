package io.berth.api.handle;

import io.berth.api.model.Pod;
import org.jspecify.annotations.Nullable;

/// Takes events about pods, for users to read. Never blocks: beyond a bound events are dropped.
public interface Recorder {
    /// @param related another pod that the event is about, or null
    void record(Event event, @Nullable Pod related);

    default void record(Event event) {
        record(event, null);
    }

    /// What to tell.
    ///
    /// @param controller the profile that speaks
    record Event(
            Pod about, Type type, String reason, String action, String note, String controller) {}

    enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
