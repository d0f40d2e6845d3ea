package io.berth.engine.framework;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Cycle;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The notes of one attempt, and which plugins sit it out.
///
/// Written on the engine thread until the binding starts, then by the binding thread alone; workers
/// only read.
public final class CycleState implements Cycle {
    private final IdentityHashMap<Key<?>, Note> notes = new IdentityHashMap<>();
    private final Map<String, Pod> toActivate;
    final Set<String> skippedFilters;
    final Set<String> skippedScores;

    public CycleState() {
        this(new LinkedHashMap<>(), new HashSet<>(), new HashSet<>());
    }

    private CycleState(
            Map<String, Pod> toActivate, Set<String> skippedFilters, Set<String> skippedScores) {
        this.toActivate = toActivate;
        this.skippedFilters = skippedFilters;
        this.skippedScores = skippedScores;
    }

    /// A copy whose notes can change without changing these; skips and pods to activate are shared.
    CycleState copy() {
        var copy = new CycleState(toActivate, skippedFilters, skippedScores);
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
            // The text is upstream's; users meet it in events.
            throw new IllegalStateException("not found");
        }
        return note;
    }

    @Override
    public void activateLater(Pod pod) {
        synchronized (toActivate) {
            toActivate.put(pod.uid(), pod);
        }
    }

    /// Takes the pods that plugins want to see tried again.
    public List<Pod> takePodsToActivate() {
        synchronized (toActivate) {
            var pods = List.copyOf(toActivate.values());
            toActivate.clear();
            return pods;
        }
    }
}
