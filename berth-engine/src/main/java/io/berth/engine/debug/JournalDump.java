package io.berth.engine.debug;

import io.berth.api.handle.Log;
import io.berth.engine.journal.Decision;
import io.berth.engine.journal.Entry;
import io.berth.engine.journal.Journal;
import java.util.stream.Collectors;

/// Writes the last decisions of a journal to the log. Engine thread only.
public final class JournalDump {
    private static final int MOST = 100;

    private JournalDump() {}

    /// Says nothing where nothing is kept.
    public static void dump(Journal journal, Log log) {
        if (!journal.isOn()) {
            return;
        }
        var entries = journal.entries();
        var decisions = Entry.decisions(entries);
        var last = decisions.subList(Math.max(0, decisions.size() - MOST), decisions.size());
        log.info(
                0,
                "Dump of the journal",
                "entries",
                entries.size(),
                "lastDecisions",
                last.stream().map(JournalDump::line).collect(Collectors.joining("\n")));
    }

    private static String line(Decision decision) {
        return switch (decision) {
            case Decision.Placed placed ->
                    "%d %s on %s, %d of %d nodes feasible"
                            .formatted(
                                    placed.attempt(),
                                    placed.pod(),
                                    placed.node(),
                                    placed.feasibleNodes(),
                                    placed.evaluatedNodes());
            case Decision.Unplaced unplaced ->
                    "%d %s nowhere: %s"
                            .formatted(unplaced.attempt(), unplaced.pod(), unplaced.message());
        };
    }
}
