package io.berth.bench.report;

import io.berth.e2e.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `berth-bench/report`: measures everything that docs/benchmarks.md tells, and writes it there.
public final class ReportCommand {
    private static final String USAGE =
            """
            Runs the measurements of docs/benchmarks.md one after the other, and writes their tables into it.

              berth-bench/report [--parts a,b] [--results DIR] [--into FILE] [--short] [--render] [--list]

            Each part is a command of this repository; --list names them. What one prints is kept in DIR as JSON, with
            date, commit, machine and load (berth-bench/target/report unless told), so that parts can be measured on
            different days: the document gets all that is kept, in the places that are marked for it.

            --short takes small sizes, to see whether all of it works; it writes a file of its own, DIR/benchmarks.md.
            --render measures nothing and writes the document from what is kept.

            Everything takes hours, on a machine that should have nothing else to do.
            """;

    private final Path root;
    private List<Part> parts = Part.all();
    private @Nullable Path results;
    private @Nullable Path into;
    private boolean isShort;
    private boolean isRendering;

    ReportCommand(Path root) {
        this.root = root;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        var report = new ReportCommand(Checkout.root());
        boolean isWell = true;
        try {
            if (report.read(List.of(args))) {
                isWell = report.run();
            }
        } catch (IllegalArgumentException problem) {
            System.err.println("Error: " + problem.getMessage());
            System.exit(2);
        }
        System.exit(isWell ? 0 : 1);
    }

    /// False where there is nothing more to do.
    boolean read(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "--help", "-h" -> {
                    System.out.print(USAGE);
                    return false;
                }
                case "--list" -> {
                    parts.forEach(
                            part -> System.out.printf("%-16s %s%n", part.name(), part.command()));
                    return false;
                }
                case "--short" -> isShort = true;
                case "--render" -> isRendering = true;
                case "--parts" -> parts = Part.named(value(words, ++i));
                case "--results" -> results = Path.of(value(words, ++i));
                case "--into" -> into = Path.of(value(words, ++i));
                default ->
                        throw new IllegalArgumentException(
                                "unknown option "
                                        + words.get(i)
                                        + "; see berth-bench/report --help");
            }
        }
        return true;
    }

    private static String value(List<String> words, int i) {
        if (i >= words.size()) {
            throw new IllegalArgumentException(words.get(i - 1) + " wants a value");
        }
        return words.get(i);
    }

    /// @return whether every part was measured
    boolean run() throws IOException, InterruptedException {
        var folder = folder();
        boolean isWell = isRendering || measure(folder);
        var kept = kept(folder);
        if (kept.isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing is kept in " + folder + "; measure something first");
        }
        var file = file(folder);
        Files.writeString(
                file,
                isShort ? Document.of(kept) : new Document(Files.readString(file)).with(kept));
        System.err.println("Written: " + file);
        return isWell;
    }

    private Path folder() {
        var told = results;
        return told != null
                ? told
                : root.resolve("berth-bench/target").resolve(isShort ? "report-short" : "report");
    }

    private Path file(Path folder) {
        var told = into;
        if (told != null) {
            return told;
        }
        return isShort ? folder.resolve("benchmarks.md") : root.resolve("docs/benchmarks.md");
    }

    private boolean measure(Path folder) throws IOException, InterruptedException {
        var measurement = new Measurement(root, folder, Surroundings.of(root), Measurement.LIMIT);
        boolean isWell = true;
        for (var part : parts) {
            String command = isShort ? part.brief() : part.command();
            System.err.printf("%n%s: %s%n", part.name(), command);
            try {
                measurement.run(part.name(), command);
            } catch (IllegalStateException problem) {
                System.err.println("Error: " + problem.getMessage());
                isWell = false;
            }
        }
        return isWell;
    }

    private static List<Result> kept(Path folder) throws IOException {
        var kept = new ArrayList<Result>();
        for (var part : Part.all()) {
            Result.kept(folder, part.name()).ifPresent(kept::add);
        }
        return kept;
    }
}
