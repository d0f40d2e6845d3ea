package io.berth.engine.framework;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The notes of one attempt, and which plugins sit it out.
///
/// There are a handful of notes, found by the identity of their key, so two short arrays serve.
/// Written on the engine thread until the binding starts, then by the binding thread alone; workers
/// only read.
public final class CycleState implements Cycle {
    private @Nullable Key<?>[] keys;
    private @Nullable Note[] notes;
    private int size;

    /// Pods to be tried again, by uid; shared by the copies of a state.
    private final AtomicReference<Map<String, Pod>> activation;

    private final Watching watching;
    private final PluginSet skippedFilters;
    private final PluginSet skippedScores;

    /// How closely metrics look at an attempt.
    private enum Watching {
        NOT,
        COUNTED,
        SAMPLED
    }

    /// For a look that is no attempt, and counts in no metric.
    public CycleState() {
        this(Watching.NOT);
    }

    private CycleState(Watching watching) {
        this(
                new Key<?>[4],
                new Note[4],
                0,
                new AtomicReference<>(Map.of()),
                watching,
                new PluginSet(),
                new PluginSet());
    }

    /// For an attempt.
    ///
    /// @param isSampled whether single plugins are timed
    public static CycleState ofAttempt(boolean isSampled) {
        return new CycleState(isSampled ? Watching.SAMPLED : Watching.COUNTED);
    }

    /// Whether this is a real attempt, so that it counts which plugins were asked.
    public boolean isCounted() {
        return watching != Watching.NOT;
    }

    /// Whether single plugins are timed in this attempt (E-80).
    public boolean isSampled() {
        return watching == Watching.SAMPLED;
    }

    /// Plugins whose filter has nothing to say in this attempt.
    public PluginSet skippedFilters() {
        return skippedFilters;
    }

    /// Plugins whose score has nothing to say in this attempt.
    public PluginSet skippedScores() {
        return skippedScores;
    }

    private CycleState(
            @Nullable Key<?>[] keys,
            @Nullable Note[] notes,
            int size,
            AtomicReference<Map<String, Pod>> activation,
            Watching watching,
            PluginSet skippedFilters,
            PluginSet skippedScores) {
        this.keys = keys;
        this.notes = notes;
        this.size = size;
        this.activation = activation;
        this.watching = watching;
        this.skippedFilters = skippedFilters;
        this.skippedScores = skippedScores;
    }

    /// A copy whose notes can change without changing these; skips and pods to activate are shared.
    public CycleState copy() {
        var copies = Arrays.copyOf(notes, notes.length);
        for (int i = 0; i < size; i++) {
            var note = notes[i];
            copies[i] = note == null ? null : note.copy();
        }
        return new CycleState(
                Arrays.copyOf(keys, keys.length),
                copies,
                size,
                activation,
                watching,
                skippedFilters,
                skippedScores);
    }

    @Override
    public <T extends Note> void put(Key<T> key, T note) {
        int index = indexOf(key);
        if (index < 0) {
            if (size == keys.length) {
                keys = Arrays.copyOf(keys, 2 * size);
                notes = Arrays.copyOf(notes, 2 * size);
            }
            index = size++;
            keys[index] = key;
        }
        notes[index] = note;
    }

    @Override
    public <T extends Note> @Nullable T find(Key<T> key) {
        int index = indexOf(key);
        var note = index < 0 ? null : notes[index];
        return note == null ? null : key.cast(note);
    }

    @SuppressWarnings("ReferenceEquality") // keys are compared by identity
    private int indexOf(Key<?> key) {
        for (int i = 0; i < size; i++) {
            if (keys[i] == key) {
                return i;
            }
        }
        return -1;
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
        activation.updateAndGet(pods -> {
            var more = new LinkedHashMap<>(pods);
            more.put(pod.uid(), pod);
            return more;
        });
    }

    /// Takes the pods that plugins want to see tried again.
    public List<Pod> takePodsToActivate() {
        return List.copyOf(activation.getAndSet(Map.of()).values());
    }
}
