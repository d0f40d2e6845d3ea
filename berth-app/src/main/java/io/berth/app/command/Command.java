package io.berth.app.command;

import io.berth.app.flag.FlagSet;
import java.util.List;

/// A command of `berth` besides the scheduler itself, from a jar that the scheduler does not need.
/// It is found as a service; see [Commands].
public interface Command {
    /// The first word of its command line.
    String name();

    /// What the list of commands says about it; empty for one that is not for people.
    String summary();

    /// What `--help` prints.
    String help();

    FlagSet flags();

    /// The words that may follow its name, for completion.
    default List<String> words() {
        return List.of();
    }

    /// Runs it and returns the exit code.
    ///
    /// @param words those after its name
    int run(List<String> words, Streams streams);
}
