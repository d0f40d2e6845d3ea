package io.berth.bench;

import io.berth.e2e.Binaries;
import io.berth.e2e.SchedulerProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// A measurement of Berth, as it is packaged, beside the real kube-scheduler.
public abstract class Comparison {
    private final String command;
    private final String usage;
    private int rounds;
    private String only = "";

    /// @param command for messages
    /// @param rounds unless `--rounds` says otherwise
    protected Comparison(String command, String usage, int rounds) {
        this.command = command;
        this.usage = usage;
        this.rounds = rounds;
    }

    /// Who takes the values of options besides `--rounds` and `--only`.
    protected abstract Map<String, Consumer<String>> options();

    /// @param packaged Berth
    protected abstract void run(Path packaged, Binaries.Found binaries) throws Exception;

    protected final int rounds() {
        return rounds;
    }

    /// A measurement from the words of its command line, the packaged program first, to the
    /// process's exit code.
    protected final void start(String[] args) throws Exception {
        try {
            if (!read(Arrays.asList(args).subList(1, args.length))) {
                System.out.print(usage);
                return;
            }
        } catch (IllegalArgumentException problem) {
            System.err.println("Error: " + problem.getMessage());
            System.exit(2);
        }
        if (!(Binaries.find() instanceof Binaries.Found binaries)) {
            System.err.println("Error: " + Binaries.REMEDY);
            System.exit(1);
            return;
        }
        run(Path.of(args[0]), binaries);
        System.exit(0);
    }

    private boolean read(List<String> words) {
        var takers = new HashMap<>(options());
        takers.put("--rounds", value -> rounds = Options.number(value));
        takers.put("--only", value -> only = value);
        return Options.read(command, words, takers);
    }

    /// Berth, others beside it that take the same flags and are named as their files are, and
    /// kube-scheduler; of these, the ones that `--only` names with commas between, or all.
    protected final List<SchedulerProgram> programs(
            Path packaged, List<Path> beside, Binaries.Found binaries) {
        var programs = new ArrayList<SchedulerProgram>();
        programs.add(new SchedulerProgram("berth", packaged.toAbsolutePath()));
        for (var file : beside) {
            programs.add(
                    new SchedulerProgram(file.getFileName().toString(), file.toAbsolutePath()));
        }
        programs.add(SchedulerProgram.kubeScheduler(binaries));
        var wanted = List.of(only.split(","));
        return programs.stream()
                .filter(program -> only.isEmpty() || wanted.contains(program.name()))
                .toList();
    }
}
