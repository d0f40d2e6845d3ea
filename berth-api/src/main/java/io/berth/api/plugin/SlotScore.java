package io.berth.api.plugin;

import io.berth.api.column.SlotTrait;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One plugin's raw score of one pod (or of all pods of a spec) for any slot. Hot: allocates
/// nothing.
@FunctionalInterface
public interface SlotScore {
    /// The plugin has nothing to say about these pods: it is left out, as if its PreScore had
    /// skipped them. The engine recognises this object.
    SlotScore NONE = slot -> 0;

    long score(int slot);

    /// All that the score goes by, where that can be said: slots that agree in these traits score
    /// alike, also after normalising, which then must follow from *which* raw scores there are and
    /// not from how many nodes have them. So one slot is asked for all of its kind. Null where the
    /// score goes by more.
    default @Nullable List<SlotTrait> traits() {
        return null;
    }

    /// The scores of the first `count` slots. Asks for one after the other, unless a plugin has a
    /// loop of its own.
    default void scoreAll(int[] slots, int count, long[] scores) {
        for (int i = 0; i < count; i++) {
            scores[i] = score(slots[i]);
        }
    }
}
