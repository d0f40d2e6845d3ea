package io.berth.api.column;

import io.berth.api.plugin.Verdict;

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

    /// The same judgement in words. Called for slots that do not pass, and for explanations.
    Verdict explain(int slot);
}
