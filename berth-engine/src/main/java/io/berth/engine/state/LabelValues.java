package io.berth.engine.state;

import io.berth.api.column.LabelColumn;
import org.jspecify.annotations.Nullable;

/// The column of one label. It lasts as long as the state, and has an array of its own only once
/// some node has the label: pods may ask for any number of labels that no node has.
final class LabelValues implements LabelColumn {
    private final Interner<String> values = new Interner<>("");
    private int[] valueIds;
    private boolean ownsArray;
    private boolean isRead;

    /// @param zeros the array that all columns without content share
    /// @param isRead whether others than questions read the column
    LabelValues(int[] zeros, boolean isRead) {
        valueIds = zeros;
        this.isRead = isRead;
    }

    @Override
    public int[] valueIds() {
        return valueIds;
    }

    @Override
    public boolean isDistinct() {
        return values.isDistinct();
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
    public boolean isGiven(int id) {
        return values.isGiven(id);
    }

    @Override
    public int idOf(String value) {
        return values.idOf(value);
    }

    /// Whether others than questions have read the column.
    boolean isRead() {
        return isRead;
    }

    /// Others than questions read the column from now on, which begins as if it were new: without
    /// numbers of values that are gone, and without an array of its own where none is left. True
    /// where nobody else had read it before.
    boolean read(int[] zeros) {
        if (isRead) {
            return false;
        }
        isRead = true;
        values.reuseDead();
        if (values.isEmpty()) {
            valueIds = zeros;
            ownsArray = false;
        }
        return true;
    }

    /// Makes the column writable. True where that replaced its array.
    boolean own() {
        if (ownsArray) {
            return false;
        }
        valueIds = new int[valueIds.length];
        ownsArray = true;
        return true;
    }

    /// Sets the value of a slot in a column that has its own array.
    void set(int slot, @Nullable String value) {
        int before = valueIds[slot];
        valueIds[slot] = value == null ? Interner.NONE : values.acquire(value);
        values.release(before);
    }

    /// For scratch slots, which come and go too quickly to be counted as users of a value.
    void copy(int from, int to) {
        if (ownsArray) {
            valueIds[to] = valueIds[from];
        }
    }

    void setUncounted(int slot, String value) {
        valueIds[slot] = values.idOf(value);
    }

    boolean hasManyDead() {
        return values.hasManyDead();
    }

    void reuseDead() {
        values.reuseDead();
    }

    void resize(int keep, int[] zeros) {
        valueIds = ownsArray ? Columns.resized(valueIds, keep, zeros.length) : zeros;
    }
}
