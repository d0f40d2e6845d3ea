package io.berth.bench;

import io.berth.e2e.Binaries;
import io.berth.e2e.SchedulerProgram;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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
        return Stream.of(
                        new SchedulerProgram("berth", packaged.toAbsolutePath()),
                        SchedulerProgram.kubeScheduler(binaries))
                .filter(program -> only.isEmpty() || program.name().equals(only))
                .toList();
    }
}
