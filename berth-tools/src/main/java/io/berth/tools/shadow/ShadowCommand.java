package io.berth.tools.shadow;

import io.berth.app.ExitCode;
import io.berth.app.StopSignal;
import io.berth.app.command.Command;
import io.berth.app.command.Streams;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.engine.framework.SettingsException;
import io.berth.lab.explain.ExplainException;
import io.berth.serving.tls.ServingException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// `berth shadow`.
public final class ShadowCommand implements Command {
    private final Map<String, String> environment;
    private final Supplier<StopSignal> stop;

    public ShadowCommand() {
        this(System.getenv(), StopSignal::fromOperatingSystem);
    }

    ShadowCommand(Map<String, String> environment, Supplier<StopSignal> stop) {
        this.environment = Map.copyOf(environment);
        this.stop = stop;
    }

    @Override
    public String name() {
        return "shadow";
    }

    @Override
    public String summary() {
        return "Judge another scheduler's decisions while it makes them; reads only";
    }

    @Override
    public String help() {
        return """
        Follows a cluster that another scheduler places pods in, and judges each pod at the moment
        that it gets a node, on the state just before: could the node take it, and was no other
        better? It only reads: nodes, pods, and what else filters look at. Ctrl-C, or the end of
        --duration, prints a report.

        Usage:
          berth shadow [flags]

        Examples:
          berth shadow
          berth shadow --config scheduler.yaml --duration 1h --report shadow.md
          berth shadow --duration 10m -o json --metrics-address 127.0.0.1:9464

        Exit codes: 0 the report was written; 1 it could not be; 2 wrong usage.
        %s\
        """
                .formatted(ShadowOptions.FLAGS.usage());
    }

    @Override
    public FlagSet flags() {
        return ShadowOptions.FLAGS;
    }

    @Override
    public int run(List<String> words, Streams streams) {
        ShadowOptions options;
        try {
            var flags = ShadowOptions.FLAGS.parse(words);
            if (flags.isTrue("help")) {
                streams.out().print(help());
                return ExitCode.OK;
            }
            options = ShadowOptions.from(flags);
        } catch (FlagException problem) {
            streams.err()
                    .println(
                            "Error: berth shadow: "
                                    + problem.sentence()
                                    + "; see 'berth help shadow'");
            return ExitCode.USAGE;
        }
        try {
            return new Shadowing(options, environment, streams, stop.get()).run();
        } catch (ExplainException | SettingsException | ServingException failed) {
            streams.err().println("Error: " + failed.getMessage());
            return ExitCode.FAILED;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }
}
