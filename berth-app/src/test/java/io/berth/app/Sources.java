package io.berth.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The source of all modules but the API server, which shares nothing with the rest, for tests that
/// ask whether something is mentioned.
final class Sources {
    private static final Path MAIN = Path.of("src", "main", "java");

    private Sources() {}

    /// Everything but the file of that name.
    static String allBut(String name) {
        return files(Path.of(".."), 1).stream()
                .filter(module -> !module.endsWith("berth-apiserver"))
                .map(module -> module.resolve(MAIN))
                .filter(Files::isDirectory)
                .flatMap(folder -> files(folder, Integer.MAX_VALUE).stream())
                .filter(Files::isRegularFile)
                .filter(file -> !file.endsWith(name))
                .map(Sources::text)
                .collect(Collectors.joining());
    }

    private static List<Path> files(Path folder, int depth) {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
