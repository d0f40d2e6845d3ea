package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.explain.Choice;
import io.berth.api.explain.Decision;
import java.util.Set;
import java.util.function.Supplier;

/// What a search for a node came to.
public sealed interface SearchResult {
    /// The pod goes here.
    ///
    /// @param why tells why just there, until the next search begins
    record Found(NodeView node, int evaluatedNodes, int feasibleNodes, Supplier<Choice> why)
            implements SearchResult {}

    /// The pod fits nowhere now.
    record NoFit(Diagnosis diagnosis) implements SearchResult {}

    /// There are no nodes at all.
    record NoNodes() implements SearchResult {}

    /// The same for those who watch.
    default Decision told() {
        return switch (this) {
            case Found found ->
                    new Decision.Placed(
                            found.why().get(), found.evaluatedNodes(), found.feasibleNodes());
            case NoFit(var diagnosis) -> new Decision.Unplaced(diagnosis.rejectors());
            case NoNodes _ -> new Decision.Unplaced(Set.of());
        };
    }
}
