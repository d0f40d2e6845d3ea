package io.berth.kube.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// Waiting for what has to come, with a limit that a busy machine keeps too.
public final class Patience {
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT);
    }
}
