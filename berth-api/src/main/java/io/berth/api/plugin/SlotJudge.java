package io.berth.api.plugin;

import io.berth.api.column.SlotTrait;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One filter's judgement of one pod (or of all pods of a spec), ready to be asked for any slot. It
/// must not depend on how often or in which order it is asked: answers are kept, and some questions
/// are repeated to time them.
public interface SlotJudge {
    /// Passes everywhere. The engine recognises this object and asks no further.
    SlotJudge PASS_ALL =
            new SlotJudge() {
                @Override
                public boolean passes(int slot) {
                    return true;
                }

                @Override
                public Verdict explain(int slot) {
                    return Verdict.PASS;
                }
            };

    /// Hot: called per node, allocates nothing.
    boolean passes(int slot);

    /// Hot: moves those of the first `count` slots that pass to the front, in their order; what
    /// lies behind them has no meaning afterwards. The same judgement as [#passes], which is asked
    /// unless a judge has a loop of its own.
    ///
    /// @return how many pass
    default int retain(int[] slots, int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            if (passes(slot)) {
                slots[kept++] = slot;
            }
        }
        return kept;
    }

    /// All that the judgement goes by, where that can be said: slots that agree in these traits are
    /// judged alike, so that one of them is asked for all. Null where it goes by more.
    default @Nullable List<SlotTrait> traits() {
        return null;
    }

    /// What is too little in a slot that does not pass, where that is the reason. For explanations,
    /// beside the words.
    default List<Lack> lacks(int slot) {
        return List.of();
    }

    /// Why a slot does not pass, more exactly than the words that users know, such as which volume
    /// is elsewhere; empty where there is no more to say. For explanations, beside the words.
    default String detail(int slot) {
        return "";
    }

    /// The same judgement in words. Called for slots that do not pass, and for explanations.
    Verdict explain(int slot);
}
