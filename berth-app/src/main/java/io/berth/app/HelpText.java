package io.berth.app;

import io.berth.app.command.Command;
import java.util.List;
import java.util.stream.Collectors;

/// What `--help` prints.
final class HelpText {
    private HelpText() {}

    /// @param more commands besides those of the scheduler itself
    static String scheduler(int columns, List<Command> more) {
        return """
        Berth is kube-scheduler for the JVM: it gives every pending pod a node. With flags alone it
        runs as the scheduler of a cluster and takes the flags of kube-scheduler %s.

        Usage:
          berth [flags]
          berth [command]

        Commands:
        %s  version     Print the version
          help        Explain a command
          completion  Print a script that completes command lines in a shell
        %s
        %s\
        """
                .formatted(
                        Version.KUBERNETES,
                        more.stream()
                                .map(one -> "  %-12s%s%n".formatted(one.name(), one.summary()))
                                .collect(Collectors.joining()),
                        SchedulerFlags.SET.usage(columns),
                        more.stream().anyMatch(one -> one.name().equals("up"))
                                ? "Try it without a cluster: berth up\n"
                                : "");
    }

    /// What precedes the message about a wrong flag.
    static String schedulerUsage(int columns) {
        return "Usage:\n  berth [flags]\n" + SchedulerFlags.SET.usage(columns) + "\n";
    }

    static String version() {
        return """
        Prints the versions of Berth, of the kube-scheduler that it follows, and of Java.
        'berth --version' prints the Kubernetes version alone, as kube-scheduler does.

        Usage:
          berth version
        """;
    }

    static String completion() {
        return """
        Prints a script that completes command lines of berth and kube-scheduler in a shell.

        Usage:
          berth completion bash|zsh|fish|powershell

        Examples:
          source <(berth completion bash)
          berth completion zsh > "${fpath[1]}/_berth"
          berth completion fish | source
        """;
    }

    static String help(List<String> commands) {
        return """
        Explains a command.

        Usage:
          berth help [%s]
        """
                .formatted(
                        commands.stream()
                                .filter(one -> !one.equals("help"))
                                .collect(Collectors.joining("|")));
    }
}
