package io.berth.engine.state;

import io.berth.api.column.LabelColumn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The column of one label.
final class LabelValues implements LabelColumn {
    private final Interner<String> values = new Interner<>("");
    private int[] valueIds;

    LabelValues(int limit) {
        valueIds = new int[limit];
    }

    @Override
    public int[] valueIds() {
        return valueIds;
    }

    @Override
    public int idLimit() {
        return values.limit();
    }

    @Override
    public String value(int id) {
        return values.value(id);
    }

    @Override
    public int idOf(String value) {
        return values.idOf(value);
    }

    void set(int slot, @Nullable String value) {
        int before = valueIds[slot];
        valueIds[slot] = value == null ? Interner.NONE : values.acquire(value);
        values.release(before);
    }

    /// For scratch slots, which come and go too quickly to be counted as users of a value.
    void copy(int from, int to) {
        valueIds[to] = valueIds[from];
    }

    void setUncounted(int slot, String value) {
        valueIds[slot] = values.idOf(value);
    }

    boolean isEmpty() {
        return Arrays.stream(valueIds).allMatch(id -> id == Interner.NONE);
    }

    boolean hasManyDead() {
        return values.hasManyDead();
    }

    void reuseDead() {
        values.reuseDead();
    }

    void resize(int keep, int limit) {
        valueIds = Columns.resized(valueIds, keep, limit);
    }
}
