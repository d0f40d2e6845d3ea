package io.berth.api.column;

/// What a judgement or a score goes by when it looks at a slot, as a number: which zone the node is
/// in, how many pods of a kind it has. Two slots with the same numbers are the same to whoever goes
/// by these traits alone.
///
/// The number of a slot may change only when the slot's node or its pods do: numbers are kept until
/// then. It follows from that node and those pods alone, never from other nodes. Traits that are
/// equal give equal numbers, and a trait that is not equal to an earlier one is read anew for all
/// slots.
@FunctionalInterface
public interface SlotTrait {
    /// Hot: called for each slot that changed; allocates nothing.
    long of(int slot);
}
