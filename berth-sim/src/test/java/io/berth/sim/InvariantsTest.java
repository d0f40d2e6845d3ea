package io.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.sim.invariant.Invariant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class InvariantsTest {
    private static final Path SOURCES =
            Path.of("src", "main", "java", "io", "berth", "sim", "invariant");

    /// Whoever adds a rule says it in words too, and whoever writes one has it looked at.
    @Test
    void everyInvariantIsInTheListAndInTheDocument() throws IOException {
        var list = Files.readString(SOURCES.resolve("Invariants.java"));
        var document = Files.readString(Path.of("..", "docs", "simulation.md"));
        try (var files = Files.list(SOURCES)) {
            var names =
                    files.filter(InvariantsTest::isInvariant)
                            .map(file -> file.getFileName().toString().replace(".java", ""))
                            .toList();
            assertThat(names)
                    .hasSizeGreaterThan(10)
                    .allMatch(name -> list.contains("new " + name + "("), "in Invariants.java")
                    .allMatch(name -> document.contains("`" + name + "`"), "in the document");
        }
    }

    private static boolean isInvariant(Path file) {
        try {
            return Files.readString(file)
                    .contains("implements " + Invariant.class.getSimpleName() + " {");
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
    }
}
