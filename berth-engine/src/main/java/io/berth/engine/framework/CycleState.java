package io.berth.engine.framework;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Cycle;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final Activation activation;
    private final Watching watching;
    final PluginSet skippedFilters;
    final PluginSet skippedScores;

    /// Pods to be tried again; shared by the copies of a state.
    private static final class Activation {
        private @Nullable Map<String, Pod> pods;
    }

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
                new Activation(),
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
    boolean isCounted() {
        return watching != Watching.NOT;
    }

    /// Whether single plugins are timed in this attempt (E-80).
    boolean isSampled() {
        return watching == Watching.SAMPLED;
    }

    private CycleState(
            @Nullable Key<?>[] keys,
            @Nullable Note[] notes,
            int size,
            Activation activation,
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
    CycleState copy() {
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
        synchronized (activation) {
            if (activation.pods == null) {
                activation.pods = new LinkedHashMap<>();
            }
            activation.pods.put(pod.uid(), pod);
        }
    }

    /// Takes the pods that plugins want to see tried again.
    public List<Pod> takePodsToActivate() {
        synchronized (activation) {
            if (activation.pods == null) {
                return List.of();
            }
            var pods = List.copyOf(activation.pods.values());
            activation.pods = null;
            return pods;
        }
    }
}
