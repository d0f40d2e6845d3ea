package io.berth.app;

import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import io.berth.app.flag.ParsedFlags;
import io.berth.app.log.LogFormat;
import io.berth.app.log.ProcessLog;
import io.berth.app.up.UpCommand;
import io.berth.app.up.UpOptions;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads the command line and runs what it asks for. With flags alone the process is the scheduler,
/// as kube-scheduler is; a first word names one of Berth's own commands.
public final class CommandLine {
    private static final List<String> COMMANDS = List.of("up", "version", "help");

    private final PrintStream out;
    private final PrintStream err;

    public CommandLine(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Runs the command and returns the exit code.
    public int run(List<String> words) {
        if (words.isEmpty() || words.getFirst().startsWith("-") || words.getFirst().isEmpty()) {
            return scheduler(words);
        }
        List<String> rest = words.subList(1, words.size());
        return switch (words.getFirst()) {
            case "up" -> up(rest);
            case "version" -> version(rest);
            case "help" -> help(rest);
            default -> unknownCommand(words.getFirst());
        };
    }

    private int scheduler(List<String> words) {
        SchedulerOptions options;
        try {
            ParsedFlags flags = SchedulerFlags.SET.parse(words);
            if (flags.isTrue("help")) {
                out.print(HelpText.scheduler());
                return ExitCode.OK;
            }
            List<String> arguments =
                    flags.arguments().stream().filter(word -> !word.isEmpty()).toList();
            if (!arguments.isEmpty()) {
                return refuse(argumentsRefused(arguments), ExitCode.FAILED);
            }
            Optional<String> version = flags.value("version");
            if (version.isPresent() && !version.get().equals("false")) {
                out.println("Kubernetes " + Version.KUBERNETES);
                return ExitCode.OK;
            }
            options = SchedulerOptions.from(flags);
        } catch (FlagException problem) {
            err.print(HelpText.schedulerUsage());
            return refuse(problem.sentence(), ExitCode.FAILED);
        } catch (SchedulerOptions.Refused refused) {
            return refuse(refused.sentence(), ExitCode.FAILED);
        }
        applyLogging(options.verbosity(), options.logFormat());
        return new SchedulerCommand(options, ProcessLog.process()).run();
    }

    private int up(List<String> words) {
        UpOptions options;
        try {
            ParsedFlags flags = UpOptions.FLAGS.parse(words);
            if (flags.isTrue("help")) {
                out.print(HelpText.up());
                return ExitCode.OK;
            }
            if (!flags.arguments().isEmpty()) {
                throw new FlagException(
                        "unexpected argument " + GoSyntax.quote(flags.arguments().getFirst()));
            }
            options = UpOptions.from(flags);
        } catch (FlagException problem) {
            return refuse(
                    "berth up: " + problem.sentence() + "; see 'berth help up'", ExitCode.USAGE);
        }
        applyLogging(options.verbosity(), LogFormat.TEXT);
        return new UpCommand(options, out, err, ProcessLog.process()).run();
    }

    private int version(List<String> words) {
        if (words.equals(List.of("--help")) || words.equals(List.of("-h"))) {
            out.print(HelpText.version());
            return ExitCode.OK;
        }
        if (!words.isEmpty()) {
            return refuse(
                    "berth version: unexpected argument "
                            + GoSyntax.quote(words.getFirst())
                            + "; the command takes none",
                    ExitCode.USAGE);
        }
        out.print(Version.text());
        return ExitCode.OK;
    }

    private int help(List<String> words) {
        if (words.isEmpty()) {
            out.print(HelpText.scheduler());
            return ExitCode.OK;
        }
        return switch (words.getFirst()) {
            case "up" -> print(HelpText.up());
            case "version" -> print(HelpText.version());
            case "help" -> print(HelpText.help());
            default -> unknownCommand(words.getFirst());
        };
    }

    private int print(String text) {
        out.print(text);
        return ExitCode.OK;
    }

    private int unknownCommand(String word) {
        String hint =
                COMMANDS.stream()
                        .filter(known -> isNear(known, word))
                        .findFirst()
                        .map(known -> "did you mean '" + known + "'?")
                        .orElse("see 'berth --help'");
        return refuse("unknown command " + GoSyntax.quote(word) + "; " + hint, ExitCode.USAGE);
    }

    private int refuse(String sentence, int exitCode) {
        err.println("Error: " + sentence);
        return exitCode;
    }

    private static String argumentsRefused(List<String> arguments) {
        String list =
                arguments.stream().map(GoSyntax::quote).collect(Collectors.joining(" ", "[", "]"));
        return "\"kube-scheduler\" does not take any arguments, got " + list;
    }

    private static void applyLogging(int verbosity, LogFormat format) {
        ProcessLog.process().setVerbosity(verbosity);
        ProcessLog.process().setFormat(format);
    }

    /// Whether one word is the other with one letter added, dropped, changed, or cut off short.
    private static boolean isNear(String known, String word) {
        if (known.startsWith(word) || word.startsWith(known)) {
            return Math.abs(known.length() - word.length()) <= 3;
        }
        int differences = Math.abs(known.length() - word.length());
        for (int i = 0; i < Math.min(known.length(), word.length()); i++) {
            differences += known.charAt(i) == word.charAt(i) ? 0 : 1;
        }
        return differences <= 1;
    }
}
