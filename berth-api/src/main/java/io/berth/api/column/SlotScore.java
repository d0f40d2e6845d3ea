package io.berth.api.column;

/// One plugin's raw score of one pod (or of all pods of a spec) for any slot. Hot: allocates
/// nothing.
@FunctionalInterface
public interface SlotScore {
    long score(int slot);
}
