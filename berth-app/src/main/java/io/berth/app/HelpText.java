package io.berth.app;

import io.berth.app.up.UpOptions;

/// What `--help` prints.
final class HelpText {
    private HelpText() {}

    static String scheduler(int columns) {
        return """
        Berth is kube-scheduler for the JVM: it gives every pending pod a node. With flags alone it
        runs as the scheduler of a cluster and takes the flags of kube-scheduler %s.

        Usage:
          berth [flags]
          berth [command]

        Commands:
          up          Start a small cluster on this machine: API server, simulated nodes, scheduler
          version     Print the version
          help        Explain a command
          completion  Print a script that completes command lines in a shell
        %s
        Try it without a cluster: berth up
        """
                .formatted(Version.KUBERNETES, SchedulerFlags.SET.usage(columns));
    }

    /// What precedes the message about a wrong flag.
    static String schedulerUsage(int columns) {
        return "Usage:\n  berth [flags]\n" + SchedulerFlags.SET.usage(columns) + "\n";
    }

    static String up() {
        return """
        Starts a Kubernetes API server in memory, simulated nodes whose pods start to run once they
        have a place, and the scheduler, with a few pods to place. Nothing outside this process is
        touched, and Ctrl-C removes it all.

        Usage:
          berth up [flags]

        Examples:
          berth up
          berth up --nodes 1000 --pods 5000
          berth up --no-demo --port 6443
        %s\
        """
                .formatted(UpOptions.FLAGS.usage());
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

    static String help() {
        return """
        Explains a command.

        Usage:
          berth help [up|version|completion]
        """;
    }
}
