package io.berth.ui;

import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value;
import java.time.Instant;
import java.util.Locale;

/// Something that was decided about a pod.
///
/// @param seq grows with every decision of one process
/// @param pod `namespace/name`
/// @param node where it is, or was; empty where it has none
/// @param text why, where there is more to say
record Decision(long seq, Instant time, Kind kind, String pod, String node, String text) {
    /// What can be decided.
    enum Kind {
        /// It has a node.
        BOUND,
        /// It was tried, and no node can take it.
        UNPLACED,
        /// It has to make room for another.
        PREEMPTED
    }

    Value json() {
        return new FieldsBuilder()
                .put("seq", seq)
                .put("time", time.toString())
                .put("kind", kind.name().toLowerCase(Locale.ROOT))
                .put("pod", pod)
                .putIfSet("node", node)
                .putIfSet("text", text)
                .build();
    }
}
