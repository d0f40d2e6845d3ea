package io.berth.e2e.differential;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A line of a scheduler's log: its sentence and its keys, for example `"Add event for node"
/// node="n1"`. Both schedulers write klog's text form.
///
/// @param values by key, without quotes
record LogLine(String sentence, Map<String, String> values) {
    static final String NODE_ADDED = "Add event for node";
    static final String NODE_DELETED = "Delete event for node";
    static final String BOUND_POD_ADDED = "Add event for scheduled pod";
    static final String PLUGIN_SCORE = "Plugin scored node for pod";
    static final String FINAL_SCORE = "Calculated node's final score for pod";
    static final String BOUND = "Successfully bound pod to node";
    static final String NO_FIT = "Unable to schedule pod; no fit; waiting";
    static final String NO_NODES =
            "Unable to schedule pod; no nodes are registered to the cluster; waiting";
    static final String BROKEN = "Error scheduling pod; retrying";
    static final String PREEMPTION_TARGET = "the target node for the preemption is determined";
    static final String VICTIM_LEAVING =
            "Victim Pod is already being deleted, skipping the API call for it";
    static final String PREEMPTION_BEGUN = "Start the preemption asynchronously";
    static final String PREEMPTION_OVER = "Async Preemption finished completely";

    private static final Set<String> WANTED =
            Set.of(
                    NODE_ADDED,
                    NODE_DELETED,
                    BOUND_POD_ADDED,
                    PLUGIN_SCORE,
                    FINAL_SCORE,
                    BOUND,
                    NO_FIT,
                    NO_NODES,
                    BROKEN,
                    PREEMPTION_TARGET,
                    VICTIM_LEAVING,
                    PREEMPTION_BEGUN,
                    PREEMPTION_OVER);

    /// The line, if it is one of those that matter here.
    static Optional<LogLine> parse(String line) {
        int start = line.indexOf("] \"");
        if (start < 0) {
            return Optional.empty();
        }
        var cursor = new Cursor(line, start + 2);
        var sentence = cursor.quoted();
        if (!WANTED.contains(sentence)) {
            return Optional.empty();
        }
        var values = new HashMap<String, String>();
        while (cursor.isAtPair()) {
            values.put(cursor.key(), cursor.value());
        }
        return Optional.of(new LogLine(sentence, values));
    }

    String value(String key) {
        return values.getOrDefault(key, "");
    }

    long number(String key) {
        return Long.parseLong(value(key));
    }

    boolean isDecision() {
        return sentence.equals(BOUND)
                || sentence.equals(NO_FIT)
                || sentence.equals(NO_NODES)
                || sentence.equals(BROKEN);
    }

    /// Reads a line from left to right.
    private static final class Cursor {
        private final String line;
        private int at;

        Cursor(String line, int at) {
            this.line = line;
            this.at = at;
        }

        boolean isAtPair() {
            return at < line.length() && line.charAt(at) == ' ' && line.indexOf('=', at) > 0;
        }

        String key() {
            int end = line.indexOf('=', at);
            var key = line.substring(at + 1, end);
            at = end + 1;
            return key;
        }

        String value() {
            if (at < line.length() && line.charAt(at) == '"') {
                return quoted();
            }
            int end = line.indexOf(' ', at);
            end = end < 0 ? line.length() : end;
            var value = line.substring(at, end);
            at = end;
            return value;
        }

        /// A text between quotes, with Go's escapes undone.
        String quoted() {
            var text = new StringBuilder();
            for (at++; at < line.length(); at++) {
                char c = line.charAt(at);
                if (c == '"') {
                    at++;
                    return text.toString();
                }
                text.append(c == '\\' && at + 1 < line.length() ? line.charAt(++at) : c);
            }
            return text.toString();
        }
    }
}
