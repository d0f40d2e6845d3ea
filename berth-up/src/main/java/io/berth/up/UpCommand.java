package io.berth.up;

import io.berth.app.ExitCode;
import io.berth.app.command.Command;
import io.berth.app.command.Streams;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.ParsedFlags;
import io.berth.config.text.GoText;
import java.util.List;

/// `berth up`.
public final class UpCommand implements Command {
    @Override
    public String name() {
        return "up";
    }

    @Override
    public String summary() {
        return "Start a small cluster on this machine: API server, simulated nodes, controllers, scheduler";
    }

    @Override
    public String help() {
        return """
        Starts a Kubernetes API server in memory, simulated nodes whose pods start to run once they
        have a place, controllers and the scheduler, with a few pods to place. Nothing outside this process is
        touched, and Ctrl-C removes it all.

        Usage:
          berth up [flags]

        Examples:
          berth up
          berth up --nodes 1000 --pods 5000
          berth up --no-demo --port 6443
          berth up --devices
          berth up --from prod.yaml
          berth up --scenario zone-outage
        %s\
        """
                .formatted(UpOptions.FLAGS.usage());
    }

    @Override
    public FlagSet flags() {
        return UpOptions.FLAGS;
    }

    @Override
    public int run(List<String> words, Streams streams) {
        UpOptions options;
        boolean isOpened;
        try {
            ParsedFlags flags = UpOptions.FLAGS.parse(words);
            if (flags.isTrue("help")) {
                streams.out().print(help());
                return ExitCode.OK;
            }
            if (!flags.arguments().isEmpty()) {
                throw new FlagException(
                        "unexpected argument " + GoText.quote(flags.arguments().getFirst()));
            }
            options = UpOptions.from(flags);
            isOpened = flags.isTrue("open");
        } catch (FlagException problem) {
            streams.err()
                    .println("Error: berth up: " + problem.sentence() + "; see 'berth help up'");
            return ExitCode.USAGE;
        }
        streams.log().setVerbosity(options.verbosity());
        return new Up(options, isOpened, streams.out(), streams.err(), streams.log()).run();
    }
}
