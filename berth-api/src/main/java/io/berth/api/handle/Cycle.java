package io.berth.api.handle;

import org.jspecify.annotations.Nullable;

/// The notes that plugins keep during one scheduling attempt of one pod.
public interface Cycle {
    /// Names a note. Make one constant per note; keys are compared by identity.
    final class Key<T extends Note> {
        private final Class<T> type;

        public Key(Class<T> type) {
            this.type = type;
        }

        public T cast(Note note) {
            return type.cast(note);
        }

        @Override
        public String toString() {
            return type.getSimpleName();
        }
    }

    /// Something a plugin works out once per attempt. Preemption's dry runs change copies of it.
    interface Note {
        /// A copy that can be changed without changing this one; an immutable note returns itself.
        Note copy();
    }

    <T extends Note> void put(Key<T> key, T note);

    /// The note, or null where the plugin has not written one.
    <T extends Note> @Nullable T find(Key<T> key);

    /// @throws IllegalStateException where the plugin has not written one
    <T extends Note> T read(Key<T> key);

    /// Asks for pods to be tried again once this attempt has succeeded.
    void activateLater(io.berth.api.model.Pod pod);
}
