package io.berth.plugins.dynamicresources;

import io.berth.api.model.GeneratedClaims.Mapping;
import io.berth.api.model.ResourceClaim;
import io.berth.api.verdict.Refusal;
import io.berth.plugins.device.KeptAnswers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a pod needs on one node.
sealed interface OnNode {
    /// It cannot be had there, whatever devices there are.
    record Refused(Refusal why) implements OnNode {}

    /// @param claims for which devices are to be found there, in the order in which they are served
    /// @param answers for their shape; null where there are none
    /// @param mappings which request stands for which extended resource
    record Wanted(List<ResourceClaim> claims, @Nullable KeptAnswers answers, List<Mapping> mappings)
            implements OnNode {
        static final Wanted NOTHING = new Wanted(List.of(), null, List.of());

        public Wanted {
            claims = List.copyOf(claims);
            mappings = List.copyOf(mappings);
        }
    }
}
