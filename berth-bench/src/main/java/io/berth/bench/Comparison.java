package io.berth.bench;

import io.berth.e2e.Binaries;
import io.berth.e2e.SchedulerProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A measurement of Berth, as it is packaged, beside the real kube-scheduler.
public interface Comparison {
    String usage();

    /// False where the usage is asked for.
    boolean read(List<String> words);

    void run(Binaries.Found binaries) throws Exception;

    /// A measurement from the words behind the packaged program to the process's exit code.
    static void main(Comparison comparison, String[] args) throws Exception {
        try {
            if (!comparison.read(Arrays.asList(args).subList(1, args.length))) {
                System.out.print(comparison.usage());
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
        comparison.run(binaries);
        System.exit(0);
    }

    /// Both schedulers, or the one of that name.
    static List<SchedulerProgram> programs(Path packaged, Binaries.Found binaries, String only) {
        return programs(packaged, List.of(), binaries, only);
    }

    /// Berth, others beside it that take the same flags and are named as their files are, and
    /// kube-scheduler.
    ///
    /// @param only the names of those that are wanted, with commas between; empty for all
    static List<SchedulerProgram> programs(
            Path packaged, List<Path> beside, Binaries.Found binaries, String only) {
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
