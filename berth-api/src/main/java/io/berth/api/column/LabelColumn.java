package io.berth.api.column;

/// One label of all nodes, each value as a small number.
public interface LabelColumn {
    /// By slot; 0 where the node lacks the label. Read only, and only until the columns' epoch
    /// changes.
    int[] valueIds();

    /// One more than the largest number in use, so that arrays indexed by value know their size.
    int idLimit();

    String value(int id);

    /// The number of a value, 0 where no node has ever had it.
    int idOf(String value);
}
