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
import java.util.stream.Stream;

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
        return modules()
                .filter(name -> Files.isDirectory(ROOT.resolve(name).resolve("src/main/java")))
                .toList();
    }

    private static Stream<String> modules() {
        return MODULE.matcher(document("pom.xml")).results().map(found -> found.group(1));
    }

    static Path classes(String room) {
        return ROOT.resolve(room).resolve("target/classes");
    }

    /// All sources and tests, this room's too, with what is in them.
    static Map<Path, String> sources() {
        var texts = new TreeMap<Path, String>();
        modules()
                .map(room -> ROOT.resolve(room).resolve("src"))
                .forEach(folder -> {
                    try (var files = Files.walk(folder)) {
                        files.filter(file -> file.toString().endsWith(".java"))
                                .forEach(file -> texts.put(ROOT.relativize(file), text(file)));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        return texts;
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

    /// A file of the project by its path.
    static String document(String path) {
        return text(ROOT.resolve(path));
    }

    /// The paths of all decisions on record.
    static List<String> decisions() {
        try (var files = Files.list(ROOT.resolve("docs/adr"))) {
            return files.map(file -> ROOT.relativize(file).toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
