package io.berth.architecture;

import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The modules that the project's pom names, with their compiled classes.
final class Rooms {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern DEPENDENCY =
            Pattern.compile("(?s)<dependency>(.*?)</dependency>(?=\\s*<)");
    private static final Pattern OURS =
            Pattern.compile("<groupId>io\\.berth</groupId>\\s*<artifactId>([^<]+)</artifactId>");

    private Rooms() {}

    /// All but this one, in the order of the pom.
    static List<String> names() {
        return MODULE.matcher(text(ROOT.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .filter(name -> Files.isDirectory(ROOT.resolve(name).resolve("src/main/java")))
                .toList();
    }

    static Path classes(String room) {
        return ROOT.resolve(room).resolve("target/classes");
    }

    /// The number of files, the package's own not counted, of every folder with sources or tests.
    static Map<String, Long> sourceFolders() {
        var counts = new TreeMap<String, Long>();
        for (var room : names()) {
            try (var files = Files.walk(ROOT.resolve(room).resolve("src"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.endsWith("package-info.java"))
                        .map(file -> ROOT.relativize(file.getParent()).toString())
                        .forEach(folder -> counts.merge(folder, 1L, Long::sum));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return counts;
    }

    static JavaClasses allClasses() {
        return new ClassFileImporter().importPaths(names().stream().map(Rooms::classes).toList());
    }

    /// The rooms that a room's own code may use, by its pom.
    static Collection<String> known(String room) {
        var pom = text(ROOT.resolve(room).resolve("pom.xml"));
        return DEPENDENCY
                .matcher(pom)
                .results()
                .map(MatchResult::group)
                .filter(dependency -> !dependency.contains("<scope>test</scope>"))
                .map(OURS::matcher)
                .flatMap(found -> found.results())
                .map(found -> found.group(1))
                .collect(toCollection(TreeSet::new));
    }

    static String readme() {
        return text(ROOT.resolve("README.md"));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
