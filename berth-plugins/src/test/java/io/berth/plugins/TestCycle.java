package io.berth.plugins;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The notes of one attempt in a map.
public final class TestCycle implements Cycle {
    private final Map<Key<?>, Note> notes = new HashMap<>();

    public TestCycle copy() {
        var copy = new TestCycle();
        notes.forEach((key, note) -> copy.notes.put(key, note.copy()));
        return copy;
    }

    @Override
    public <T extends Note> void put(Key<T> key, T note) {
        notes.put(key, note);
    }

    @Override
    public <T extends Note> @Nullable T find(Key<T> key) {
        var note = notes.get(key);
        return note == null ? null : key.cast(note);
    }

    @Override
    public <T extends Note> T read(Key<T> key) {
        var note = find(key);
        if (note == null) {
            throw new IllegalStateException("nobody has written " + key);
        }
        return note;
    }

    @Override
    public void activateLater(Pod pod) {}
}
