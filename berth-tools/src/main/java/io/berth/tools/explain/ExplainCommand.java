package io.berth.tools.explain;

import io.berth.app.ExitCode;
import io.berth.app.command.Command;
import io.berth.app.command.Screen;
import io.berth.app.command.Streams;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.ParsedFlags;
import io.berth.engine.framework.SettingsException;
import io.berth.lab.explain.ExplainException;
import java.util.List;
import java.util.Map;

/// `berth explain`.
public final class ExplainCommand implements Command {
    /// The pod waits, and nothing was found that would help.
    static final int NO_FIX = 3;

    private final Map<String, String> environment;

    public ExplainCommand() {
        this(System.getenv());
    }

    ExplainCommand(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public String name() {
        return "explain";
    }

    @Override
    public String summary() {
        return "Tell why a pod waits, why it is where it is, and what would help; on any cluster";
    }

    @Override
    public String help() {
        return """
        Tells why a pod has no node, or why it has just this one, and what would help: every fix
        that is printed was tried. It reads the cluster with the rights that you have, or a dump,
        judges with a scheduler of its own, and changes nothing. The cluster may run any scheduler
        that decides as kube-scheduler does.

        Usage:
          berth explain pod NAME [flags]       one pod
          berth explain pending [flags]        all pods that wait, in groups
          berth explain node NAME [flags]      why nothing lands on a node

        Examples:
          berth explain pod web-0 -n shop
          berth explain pod web-0 -n shop --node node-7      why (not) there
          berth explain pod web-0 -n shop -o patch=1         the first fix, to copy
          berth explain pending -A --by owner
          kubectl get nodes,pods,pdb,priorityclasses -A -o yaml > dump.yaml
          berth explain pending -A --from dump.yaml

        Exit codes: 0 it was told; 1 it could not be; 2 wrong usage; 3 the pod waits, and no fix
        was found.
        %s\
        """
                .formatted(ExplainOptions.FLAGS.usage());
    }

    @Override
    public FlagSet flags() {
        return ExplainOptions.FLAGS;
    }

    @Override
    public List<String> words() {
        return List.of("pod", "pending", "node");
    }

    @Override
    public int run(List<String> words, Streams streams) {
        ExplainOptions options;
        try {
            ParsedFlags flags = ExplainOptions.FLAGS.parse(words);
            if (flags.isTrue("help")) {
                streams.out().print(help());
                return ExitCode.OK;
            }
            options = ExplainOptions.from(flags, environment);
        } catch (FlagException problem) {
            streams.err()
                    .println(
                            "Error: berth explain: "
                                    + problem.sentence()
                                    + "; see 'berth help explain'");
            return ExitCode.USAGE;
        }
        boolean isShown =
                Screen.isThere() && !System.getProperty("berth.stderr", "").equals("elsewhere");
        var progress = new Progress(streams.err(), isShown);
        try {
            return new Explaining(options, environment, streams, progress).run();
        } catch (ExplainException | SettingsException failed) {
            streams.err().println("Error: " + failed.getMessage());
            return ExitCode.FAILED;
        } catch (OutOfMemoryError tooMuch) {
            streams.err()
                    .println(
                            "Error: the cluster does not fit into memory; give more with BERTH_JAVA_OPTS=-Xmx4g");
            return ExitCode.FAILED;
        }
    }
}
