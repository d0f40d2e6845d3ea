package io.berth.app;

import io.berth.app.command.Command;
import io.berth.app.command.Commands;
import io.berth.app.command.Screen;
import io.berth.app.command.Streams;
import io.berth.app.complete.Candidates;
import io.berth.app.complete.Script;
import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.ParsedFlags;
import io.berth.app.log.ProcessLog;
import io.berth.app.option.Aggregate;
import io.berth.app.option.OptionsException;
import io.berth.app.option.SchedulerOptions;
import io.berth.config.text.GoText;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads the command line and runs what it asks for. With flags alone the process is the scheduler,
/// as kube-scheduler is; a first word names one of Berth's own commands.
public final class CommandLine {
    private static final List<String> OWN = List.of("version", "help", "completion");

    private final Commands more = Commands.find();
    private final PrintStream out;
    private final PrintStream err;
    private final ProcessLog log;
    private final Supplier<StopSignal> stopSignal;
    private final boolean isRehearsal;

    public CommandLine(PrintStream out, PrintStream err) {
        this(out, err, ProcessLog.process(), StopSignal::fromOperatingSystem);
    }

    public CommandLine(
            PrintStream out, PrintStream err, ProcessLog log, Supplier<StopSignal> stopSignal) {
        this(out, err, log, stopSignal, false);
    }

    private CommandLine(
            PrintStream out,
            PrintStream err,
            ProcessLog log,
            Supplier<StopSignal> stopSignal,
            boolean isRehearsal) {
        this.out = out;
        this.err = err;
        this.log = log;
        this.stopSignal = stopSignal;
        this.isRehearsal = isRehearsal;
    }

    /// For a life from which the JVM is to learn what a start is like.
    public CommandLine rehearsing() {
        return new CommandLine(out, err, log, stopSignal, true);
    }

    /// Runs the command and returns the exit code.
    public int run(List<String> words) {
        if (words.isEmpty() || words.getFirst().startsWith("-") || words.getFirst().isEmpty()) {
            return scheduler(words);
        }
        List<String> rest = words.subList(1, words.size());
        Optional<Command> other = more.named(words.getFirst());
        if (other.isPresent()) {
            return other.get().run(rest, new Streams(out, err, log));
        }
        return switch (words.getFirst()) {
            case "version" -> version(rest);
            case "help" -> help(rest);
            case "completion" -> completion(rest);
            // Not in the help: what completion scripts of kube-scheduler call.
            case "__complete" -> candidates(rest, true);
            case "__completeNoDesc" -> candidates(rest, false);
            default -> otherWords(words);
        };
    }

    /// The steps before anything is built, in the order that kube-scheduler keeps (P-3): flags,
    /// arguments, versions and features, `--version`, logging.
    private int scheduler(List<String> words) {
        ParsedFlags flags;
        try {
            flags = SchedulerFlags.SET.parse(words);
        } catch (FlagException problem) {
            err.print(HelpText.schedulerUsage(columns()));
            return refuse(problem.sentence(), ExitCode.FAILED);
        }
        if (flags.isTrue("help")) {
            return print(HelpText.scheduler(columns(), more.listed()));
        }
        if (flags.arguments().stream().anyMatch(word -> !word.isEmpty())) {
            return refuse(argumentsRefused(flags.arguments()), ExitCode.FAILED);
        }
        SchedulerOptions options;
        try {
            options = SchedulerOptions.from(flags, SchedulerFlags.SET.valueTexts(flags));
        } catch (FlagException problem) {
            log.error(new OptionsException(problem.sentence()), "command failed");
            return ExitCode.FAILED;
        }
        Optional<String> version = flags.value("version").filter(value -> !value.startsWith("v"));
        if (version.isPresent() && version.get().equals("raw")) {
            return print(Version.raw(Version.KUBERNETES) + "\n");
        }
        if (version.isPresent() && flags.isTrue("version")) {
            return print("Kubernetes " + Version.KUBERNETES + "\n");
        }
        List<String> problems = options.logging().check(options.gates());
        if (!problems.isEmpty()) {
            err.println(Aggregate.text(problems));
            return ExitCode.FAILED;
        }
        options.logging().apply(log);
        return new SchedulerCommand(options, log, stopSignal, isRehearsal).run();
    }

    private int version(List<String> words) {
        if (words.equals(List.of("--help")) || words.equals(List.of("-h"))) {
            out.print(HelpText.version());
            return ExitCode.OK;
        }
        if (!words.isEmpty()) {
            return refuse(
                    "berth version: unexpected argument "
                            + GoText.quote(words.getFirst())
                            + "; the command takes none",
                    ExitCode.USAGE);
        }
        out.print(Version.text());
        return ExitCode.OK;
    }

    private int help(List<String> words) {
        if (words.isEmpty()) {
            return print(HelpText.scheduler(columns(), more.listed()));
        }
        Optional<Command> other =
                more.listed().stream()
                        .filter(command -> command.name().equals(words.getFirst()))
                        .findFirst();
        if (other.isPresent()) {
            return print(other.get().help());
        }
        return switch (words.getFirst()) {
            case "version" -> print(HelpText.version());
            case "help" -> print(HelpText.help(names()));
            case "completion" -> print(HelpText.completion());
            default -> unknownCommand(words.getFirst());
        };
    }

    private int completion(List<String> words) {
        if (words.isEmpty() || words.equals(List.of("--help")) || words.equals(List.of("-h"))) {
            return print(HelpText.completion());
        }
        for (Script script : Script.values()) {
            if (words.equals(List.of(script.shell()))) {
                return print(
                        script.text(
                                new Script.Words(SchedulerFlags.SET.sorted(), names(), flags())));
            }
        }
        return refuse(
                "berth completion: expected one of bash, zsh, fish, powershell; got "
                        + GoText.quote(String.join(" ", words)),
                ExitCode.USAGE);
    }

    private int candidates(List<String> words, boolean described) {
        Optional<Command> other =
                words.size() < 2 ? Optional.empty() : more.named(words.getFirst());
        return print(
                other.isPresent()
                        ? new Candidates(other.get().flags(), other.get().words())
                                .after(words.subList(1, words.size()), described)
                        : new Candidates(SchedulerFlags.SET, names()).after(words, described));
    }

    /// The words that may come first.
    private List<String> names() {
        return Stream.concat(more.listed().stream().map(Command::name), OWN.stream()).toList();
    }

    private SortedMap<String, List<Flag>> flags() {
        var flags = new TreeMap<String, List<Flag>>();
        more.listed().forEach(command -> flags.put(command.name(), command.flags().sorted()));
        return flags;
    }

    private int print(String text) {
        out.print(text);
        return ExitCode.OK;
    }

    /// A word close to a command is taken for a slip; any other one is an argument, which the
    /// scheduler refuses (P-11).
    private int otherWords(List<String> words) {
        String word = words.getFirst();
        return names().stream().noneMatch(known -> isNear(known, word))
                ? scheduler(words)
                : unknownCommand(word);
    }

    private int unknownCommand(String word) {
        String hint =
                names().stream()
                        .filter(known -> isNear(known, word))
                        .findFirst()
                        .map(known -> "did you mean '" + known + "'?")
                        .orElse("see 'berth --help'");
        return refuse("unknown command " + GoText.quote(word) + "; " + hint, ExitCode.USAGE);
    }

    /// How wide lines may be; the help text is wrapped on a terminal only.
    private int columns() {
        return out.equals(System.out) ? Screen.measure().map(Screen::columns).orElse(0) : 0;
    }

    private int refuse(String sentence, int exitCode) {
        err.println("Error: " + sentence);
        return exitCode;
    }

    private static String argumentsRefused(List<String> arguments) {
        String list =
                arguments.stream().map(GoText::quote).collect(Collectors.joining(" ", "[", "]"));
        return "\"kube-scheduler\" does not take any arguments, got " + list;
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
