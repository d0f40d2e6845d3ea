package io.berth.tools.kubectl;

import static io.berth.app.flag.FlagType.BOOL;
import static io.berth.app.flag.FlagType.STRING;

import io.berth.app.ExitCode;
import io.berth.app.command.Command;
import io.berth.app.command.Streams;
import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.ParsedFlags;
import io.berth.config.text.GoText;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `berth kubectl`: writes the two small scripts by which kubectl finds `kubectl berth`.
public final class KubectlCommand implements Command {
    private static final String GROUP = "kubectl";
    private static final String LAUNCHER = "berth.launcher";

    private static final FlagSet FLAGS =
            new FlagSet(
                    List.of(
                            new Flag(
                                    GROUP,
                                    "to",
                                    (char) 0,
                                    STRING,
                                    "",
                                    "Folder on the PATH to write to; one of your own that is on it"
                                            + " where none is given."),
                            new Flag(GROUP, "help", 'h', BOOL, "", "Help for kubectl.")));

    private final Map<String, String> environment;

    public KubectlCommand() {
        this(System.getenv());
    }

    KubectlCommand(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public String name() {
        return "kubectl";
    }

    @Override
    public String summary() {
        return "Make 'kubectl berth' work: put it on the path";
    }

    @Override
    public String help() {
        return """
        Writes kubectl-berth and kubectl_complete-berth, two scripts of one line each, to a folder
        on the PATH. From then on 'kubectl berth explain pod NAME' is 'berth explain pod NAME'.
        To take it back, remove the two files.

        Usage:
          berth kubectl [flags]
        %s\
        """
                .formatted(FLAGS.usage());
    }

    @Override
    public FlagSet flags() {
        return FLAGS;
    }

    @Override
    public int run(List<String> words, Streams streams) {
        ParsedFlags flags;
        try {
            flags = FLAGS.parse(words);
            if (!flags.arguments().isEmpty()) {
                throw new FlagException(
                        "unexpected argument " + GoText.quote(flags.arguments().getFirst()));
            }
        } catch (FlagException problem) {
            streams.err()
                    .println(
                            "Error: berth kubectl: "
                                    + problem.sentence()
                                    + "; see 'berth help kubectl'");
            return ExitCode.USAGE;
        }
        if (flags.isTrue("help")) {
            streams.out().print(help());
            return ExitCode.OK;
        }
        return write(flags.path("to"), streams);
    }

    private int write(Optional<Path> given, Streams streams) {
        var folder = given.or(this::own);
        if (folder.isEmpty()) {
            streams.err()
                    .println(
                            "Error: no folder of your own is on the PATH; give one with --to, such as --to ~/.local/bin");
            return ExitCode.FAILED;
        }
        var launcher = System.getProperty(LAUNCHER, "berth");
        try {
            Files.createDirectories(folder.get());
            script(folder.get().resolve("kubectl-berth"), quoted(launcher));
            script(
                    folder.get().resolve("kubectl_complete-berth"),
                    quoted(launcher) + " __complete");
        } catch (IOException failed) {
            streams.err()
                    .println("Error: cannot write to " + folder.get() + ": " + failed.getMessage());
            return ExitCode.FAILED;
        }
        streams.out()
                .println(
                        "wrote kubectl-berth and kubectl_complete-berth to "
                                + folder.get()
                                + "; try: kubectl berth explain pending -A");
        if (!isOnPath(folder.get())) {
            streams.out().println("note: " + folder.get() + " is not on your PATH");
        }
        return ExitCode.OK;
    }

    private static void script(Path file, String command) throws IOException {
        Files.writeString(file, "#!/bin/sh\nexec " + command + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /// The first folder on the PATH that lies in the user's home and can be written to.
    private Optional<Path> own() {
        var home = environment.getOrDefault("HOME", "");
        return path().filter(folder ->
                        !home.isEmpty()
                                && folder.startsWith(Path.of(home))
                                && Files.isWritable(folder))
                .findFirst();
    }

    private boolean isOnPath(Path folder) {
        return path().anyMatch(one -> one.equals(folder.toAbsolutePath().normalize()));
    }

    private java.util.stream.Stream<Path> path() {
        return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder).normalize());
    }
}
