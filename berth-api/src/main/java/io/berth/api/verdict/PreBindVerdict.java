package io.berth.api.verdict;

import io.berth.api.write.Written;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a plugin says when a binding is to be prepared.
public sealed interface PreBindVerdict permits Pass, Refusal, PreBindVerdict.Wrote {
    PreBindVerdict PASS = Pass.INSTANCE;

    /// Objects of the cluster were changed, which the plugin wants to hear of on the engine thread
    /// ([PreBind#wrote]).
    ///
    /// @param written what was carried out, in its order
    /// @param problem what then went wrong, so that the binding fails; null where nothing did
    record Wrote(List<Written> written, @Nullable String problem) implements PreBindVerdict {
        public Wrote {
            written = List.copyOf(written);
        }
    }
}
