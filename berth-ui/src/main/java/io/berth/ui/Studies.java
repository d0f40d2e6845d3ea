package io.berth.ui;

import io.berth.lab.explain.ClusterStudy;
import java.util.function.Function;

/// Answers questions on a twin of the cluster. Called by many threads at once.
public interface Studies {
    /// Too many ask at once.
    final class BusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /// @throws BusyException where too many wait already
    /// @throws io.berth.lab.explain.ExplainException where there is no answer, with the reason
    <T> T ask(Function<ClusterStudy, T> question);

    /// About one pod, which is as it is now; of others without a node nothing may be known.
    ///
    /// @param pod `namespace/name`
    /// @throws BusyException where too many wait already
    /// @throws io.berth.lab.explain.ExplainException where there is no answer, with the reason
    default <T> T ask(String pod, Function<ClusterStudy, T> question) {
        return ask(question);
    }
}
