package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What documents about the house say of its classes: a name in them is one that a reader finds.
final class DocumentsTest {
    private static final Pattern CODE = Pattern.compile("`[^`\n]+`");

    /// A class by a name of two words at least, or by any name with one of its members.
    private static final Pattern NAME =
            Pattern.compile(
                    "(?<![-\\w])([A-Z][a-z][A-Za-z0-9]*)\\.([a-z][A-Za-z0-9]*)"
                            + "|\\b([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)");

    private static final Pattern TYPE =
            Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z][A-Za-z0-9]*)");

    /// The one about the JVM names many of its options.
    private static final String JVM = "0013-start-up-and-memory.md";

    /// A dozen statements about classes were once untrue, since nothing held them to the code.
    @Test
    void classesThatDocumentsNameAreThere() {
        var sources = sourcesByType();
        var wrong = new ArrayList<String>();
        for (var document : documents()) {
            CODE.matcher(Rooms.document(document))
                    .results()
                    .map(MatchResult::group)
                    .flatMap(code -> NAME.matcher(code).results())
                    .filter(name -> !isThere(name, sources))
                    .forEach(name -> wrong.add(document + ": " + name.group()));
        }
        assertThat(wrong).isEmpty();
    }

    /// Rooms in which a package is more than one of many alike.
    private static final Set<String> MAPPED =
            Set.of(
                    "berth-api",
                    "berth-apiserver",
                    "berth-app",
                    "berth-config",
                    "berth-engine",
                    "berth-kube",
                    "berth-lab",
                    "berth-serving",
                    "berth-tools",
                    "berth-up");

    /// Eighteen packages were in no code map when it was last read as a whole.
    @Test
    void packagesAreInTheCodeMap() {
        var map = Rooms.document("docs/architecture.md");
        var missing = new TreeSet<String>();
        for (var source : Rooms.sources().keySet()) {
            var room = source.getName(0).toString();
            var name = source.getName(source.getNameCount() - 2).toString();
            if (MAPPED.contains(room)
                    && source.startsWith(Path.of(room, "src", "main"))
                    && !room.endsWith("-" + name)
                    && !section(map, room).contains("`" + name + "`")) {
                missing.add(room + ": " + name);
            }
        }
        assertThat(missing).isEmpty();
    }

    /// What the code map says of a room, up to the next one.
    private static String section(String map, String room) {
        int begin = map.indexOf("**`" + room + "`");
        int end = map.indexOf("\n**`", begin);
        return map.substring(begin, end);
    }

    /// Who waits for `mvn verify` should know what it leaves out.
    @Test
    void suitesThatTakeLongAreNamed() {
        var told = Rooms.document("CONTRIBUTING.md");
        assertThat(Rooms.sources().entrySet())
                .filteredOn(source -> source.getValue().contains("\n@Thorough\n"))
                .extracting(source -> source.getKey().getFileName().toString())
                .filteredOn(name -> name.endsWith("IT.java"))
                .hasSizeGreaterThan(20)
                .allSatisfy(name ->
                        assertThat(told)
                                .contains(
                                        "`"
                                                + name.substring(
                                                        0, name.length() - ".java".length())
                                                + "`"));
    }

    private static List<String> documents() {
        return Stream.concat(
                        Stream.of(
                                "CONTRIBUTING.md",
                                "docs/architecture.md",
                                "docs/glossary.md",
                                "docs/simulation.md"),
                        Rooms.decisions().stream())
                .filter(path -> !path.endsWith(JVM))
                .toList();
    }

    private static boolean isThere(MatchResult name, Map<String, List<String>> sources) {
        if (name.group(3) != null) {
            return sources.containsKey(name.group(3));
        }
        var member = Pattern.compile("\\b" + name.group(2) + "\\b").asPredicate();
        return sources.getOrDefault(name.group(1), List.of()).stream().anyMatch(member);
    }

    /// The files that have a type of that name; two rooms may each have one.
    private static Map<String, List<String>> sourcesByType() {
        var sources = new HashMap<String, List<String>>();
        for (var text : Rooms.sources().values()) {
            TYPE.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .distinct()
                    .forEach(type ->
                            sources.computeIfAbsent(type, _ -> new ArrayList<>()).add(text));
        }
        return sources;
    }
}
