package io.berth.api.column;

/// One label of all nodes, each value as a small number, which is also a trait of theirs.
public interface LabelColumn extends SlotTrait {
    /// By slot; 0 where the node lacks the label. Read only, and only until the columns' epoch
    /// changes.
    int[] valueIds();

    @Override
    default long of(int slot) {
        return valueIds()[slot];
    }

    /// Whether no two nodes have the same value, so that each is a domain of its own.
    boolean isDistinct();

    /// One more than the largest number in use, so that arrays indexed by value know their size.
    int idLimit();

    String value(int id);

    /// Whether a number stands for a value. One that does not may be given to a new value at any
    /// time, without a new epoch: what is worked out ahead by number leaves it out. 0 always does.
    boolean isGiven(int id);

    /// The number of a value, 0 where no node has ever had it.
    int idOf(String value);
}
