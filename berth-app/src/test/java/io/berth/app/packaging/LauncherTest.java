package io.berth.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the launcher script in a directory of its own, with a Java and a Maven that only tell how
/// they were called.
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    private static final Path SCRIPT = Path.of("..", "berth");
    private static final String FAKE_JAVA =
            "#!/bin/bash\nprintf 'java (%s)' \"$_JAVA_SR_SIGNUM\"; printf ' <%s>' \"$@\"; printf '\\n'\n";
    private static final String FAKE_MAVEN =
            """
            #!/bin/bash
            echo "[INFO] ------< io.berth:berth-api >------"
            echo "[INFO] ------< io.berth:berth-app >------"
            echo "[INFO] ------< io.berth:berth-up >------"
            mkdir -p berth-up/target berth-tools/target
            if [ -f fail ]; then echo "[ERROR] Foo.java:[1,2] bad thing"; exit 1; fi
            echo built >> builds
            touch berth-app/target/berth-app.jar berth-up/target/berth-up.jar berth-tools/target/berth-tools.jar
            """;

    @TempDir Path directory;
    private Path root;
    private Path bin;

    @BeforeEach
    void lay() throws IOException {
        root = Files.createDirectories(directory.resolve("a tree"));
        bin = Files.createDirectories(directory.resolve("bin"));
        Files.copy(SCRIPT, root.resolve("berth"));
        executable(root.resolve("berth"));
        Files.writeString(root.resolve("pom.xml"), "");
        for (String module : List.of("berth-api", "berth-app", "berth-tools", "berth-up")) {
            Files.createDirectories(root.resolve(module).resolve("src/main"));
            Files.writeString(root.resolve(module).resolve("pom.xml"), "");
            Files.writeString(root.resolve(module).resolve("src/main/A.java"), "");
        }
        script(bin.resolve("mvn"), FAKE_MAVEN);
    }

    @Test
    void missingJavaIsToldInOneSentence() throws Exception {
        Outcome outcome = run(root.resolve("berth"), "up");
        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.err)
                .startsWith("berth: no Java 25 found; install a JDK 25")
                .hasLineCount(1);
    }

    @Test
    void olderJavaIsNotTaken() throws Exception {
        java("usr/lib/jvm/java-21", "21.0.4");
        assertThat(run(root.resolve("berth")).err).startsWith("berth: no Java 25 found");
    }

    @Test
    void javaIsFoundInTheUsualPlaces() throws Exception {
        java("usr/lib/jvm/java-17", "17.0.1");
        java("opt/jdk-25", "25.0.3");
        assertThat(run(root.resolve("berth"), "version").out).endsWith("<version>\n");
    }

    @Test
    void argumentsWithSpacesSurvive() throws Exception {
        java("usr/lib/jvm/java-25", "25");
        Outcome outcome = run(root.resolve("berth"), "--config", "a b", "", "*", "c\"d");
        assertThat(outcome.out).endsWith("<--config> <a b> <> <*> <c\"d>\n");
    }

    /// The JVM tells on standard output that it read directives, before any help text.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "-v=2 --help",
                "--config c -h",
                "--v 3 --version",
                "--config=c --version=raw",
                "version",
                "up --nodes 3"
            })
    void whoeverWantsTextGetsAJavaWithoutDirectives(String words) throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        assertThat(run(root.resolve("berth"), words.split(" ")).out)
                .contains("<-XX:TieredStopAtLevel=1>")
                .contains(
                        "<-Dberth.commands=",
                        "/berth-up/target/berth-up.jar:",
                        "/berth-tools/target/berth-tools.jar>")
                .doesNotContain("CompilerDirectivesFile");
        assertThat(image(words.split(" ")))
                .contains(words.startsWith("up") ? "Directives" : "<-XX:TieredStopAtLevel=1>");
    }

    /// Reading a large cluster is decrypting, most of all.
    @ParameterizedTest
    @ValueSource(strings = {"explain pod web", "ui", "explain --help"})
    void whoeverReadsAClusterGetsAJavaThatDecryptsFastAndSaysNothing(String words)
            throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        assertThat(run(root.resolve("berth"), words.split(" ")).out)
                .contains("/deploy/tools/jvm.options>", "/deploy/tools/compiler.json>")
                .contains("<-Dberth.launcher=", "<-Dberth.commands=")
                .doesNotContain("TieredStopAtLevel", "deploy/image");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--config c", "-v=2", "--help-me", "--versions", "-- --help"})
    void schedulerGetsAJavaThatIsMadeForIt(String words) throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        assertThat(run(root.resolve("berth"), words.split(" ")).out)
                .contains("<-XX:CompilerDirectivesFile=")
                .doesNotContain("TieredStopAtLevel", "berth-up");
        assertThat(image(words.split(" ")))
                .contains("<-XX:CompilerDirectivesFile=")
                .doesNotContain("TieredStopAtLevel");
    }

    /// SIGUSR2 is 12; the scheduler listens to it.
    @Test
    void flightRecorderIsKeptFromTheSignalThatDumpsTheBooks() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        assertThat(run(root.resolve("berth"), "-v=2").out).startsWith("java (16) ");
        assertThat(image("-v=2")).startsWith("java (16) ");
    }

    /// What the image's launcher starts.
    private String image(String... arguments) throws Exception {
        Path script = directory.resolve("kube-scheduler");
        Path java = directory.resolve("usr/lib/jvm/java-25/bin/java");
        script(
                script,
                Files.readString(Path.of("..", "deploy", "image", "kube-scheduler"))
                        .replace("/opt/java/bin/java", java.toString()));
        return run(script, arguments).out;
    }

    @Test
    void symbolicLinkLeadsToTheTree() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
        Files.createSymbolicLink(elsewhere.resolve("first"), root.resolve("berth"));
        Path second = Files.createSymbolicLink(elsewhere.resolve("second"), Path.of("first"));
        Outcome outcome = run(second, "version");
        assertThat(outcome.out).contains("/a tree/berth-app/target/berth-app.jar> <version>");
    }

    @Test
    void buildRunsOnceAndThenInSilence() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        Outcome first = run(root.resolve("berth"), "version");
        assertThat(first.err).contains("for the first time", "building berth-api");
        Outcome second = run(root.resolve("berth"), "version");
        assertThat(second.err).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void newerSourceIsBuiltAgain() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        run(root.resolve("berth"), "version");
        change(root);
        Outcome second = run(root.resolve("berth"), "version");
        assertThat(second.err).contains("berth-api/src/main/A.java changed since the last build");
        assertThat(builds()).isEqualTo(2);
    }

    /// Who measures wants what was built, also while somebody edits.
    @Test
    void whatWasBuiltRunsAsItIsWhereThatIsWanted() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        run(root.resolve("berth"), "version");
        change(root);
        Outcome second =
                run(
                        tools().resolve("env"),
                        "BERTH_BUILT=true",
                        root.resolve("berth").toString(),
                        "version");
        assertThat(second.err).isEmpty();
        assertThat(second.out).contains("berth-app.jar> <version>");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void removedSourceIsBuiltAgain() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        run(root.resolve("berth"), "version");
        Files.delete(root.resolve("berth-api/src/main/A.java"));
        Files.setLastModifiedTime(
                root.resolve("berth-api/src/main"), FileTime.from(Instant.now().plusSeconds(5)));
        run(root.resolve("berth"), "version");
        assertThat(builds()).isEqualTo(2);
    }

    /// All times in a copy are new.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void copyOfATreeIsNotBuiltAgain(boolean packaged) throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        if (packaged) {
            layPackage();
        }
        run(root.resolve("berth"), "version");
        Path copy = directory.resolve("copy");
        assertThat(
                        new ProcessBuilder("cp", "-r", root.toString(), copy.toString())
                                .start()
                                .waitFor())
                .isZero();
        for (Path source : List.of(copy.resolve("pom.xml"), copy.resolve("berth-api/pom.xml"))) {
            Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        }
        assertThat(run(copy.resolve("berth"), "version").err).isEmpty();
        change(copy);
        assertThat(run(copy.resolve("berth"), "version").err).contains("building berth-api");
    }

    private static void change(Path tree) throws IOException {
        Path source = tree.resolve("berth-api/src/main/A.java");
        Files.writeString(source, "class A {}");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(10)));
    }

    private void layPackage() throws IOException {
        Path target = Files.createDirectories(root.resolve("berth-app/target"));
        Path jar = Files.writeString(target.resolve("berth-app.jar"), "");
        Path up = Files.createDirectories(root.resolve("berth-up/target"));
        Files.writeString(up.resolve("berth-up.jar"), "");
        Path tools = Files.createDirectories(root.resolve("berth-tools/target"));
        Files.writeString(tools.resolve("berth-tools.jar"), "");
        Path cache = Files.writeString(target.resolve("berth.aot"), "");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(1)));
        Files.setLastModifiedTime(cache, FileTime.from(Instant.now().plusSeconds(2)));
    }

    @Test
    void wholePackageIsUsedAsItIsUntilASourceIsNewer() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        layPackage();
        Outcome packaged = run(root.resolve("berth"), "--config", "c");
        assertThat(packaged.err).isEmpty();
        assertThat(packaged.out).contains("<-XX:AOTCache=").endsWith("<--config> <c>\n");
        change(root);
        run(root.resolve("berth"), "--config", "c");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void sourceOfAModuleOutsideTheBuildDoesNotMatter() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        run(root.resolve("berth"), "version");
        Path source =
                Files.createDirectories(root.resolve("berth-bench/src/main")).resolve("B.java");
        Files.writeString(source, "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        run(root.resolve("berth"), "version");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void failedBuildShowsTheErrorAndNamesTheLog() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        Files.writeString(root.resolve("fail"), "");
        Outcome outcome = run(root.resolve("berth"), "version");
        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.out).isEmpty();
        assertThat(outcome.err)
                .contains("[ERROR] Foo.java:[1,2] bad thing", "the whole log is in")
                .contains("berth-build.log");
    }

    @Test
    void missingMavenIsToldInOneSentence() throws Exception {
        java("usr/lib/jvm/java-25", "25.0.3");
        Files.delete(bin.resolve("mvn"));
        Outcome outcome = run(root.resolve("berth"), "version");
        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.err).contains("install Maven 3.8 or newer").hasLineCount(1);
    }

    private long builds() throws IOException {
        try (var lines = Files.lines(root.resolve("builds"))) {
            return lines.count();
        }
    }

    private void java(String home, String version) throws IOException {
        Path java = Files.createDirectories(directory.resolve(home).resolve("bin")).resolve("java");
        script(java, FAKE_JAVA);
        Files.writeString(
                directory.resolve(home).resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    }

    private static void script(Path path, String text) throws IOException {
        Files.writeString(path, text);
        executable(path);
    }

    private static void executable(Path path) {
        assertThat(path.toFile().setExecutable(true)).isTrue();
    }

    /// A PATH with the tools of the script, without Java and without the machine's Maven.
    private Path tools() throws IOException {
        Path tools = directory.resolve("tools");
        if (Files.notExists(tools)) {
            Files.createDirectory(tools);
            for (String tool :
                    List.of(
                            "bash",
                            "cat",
                            "cksum",
                            "dirname",
                            "env",
                            "find",
                            "flock",
                            "grep",
                            "head",
                            "ls",
                            "mkdir",
                            "mv",
                            "readlink",
                            "rm",
                            "sed",
                            "sh",
                            "sleep",
                            "sort",
                            "tail",
                            "touch",
                            "wc",
                            "xargs")) {
                for (String place : List.of("/usr/bin", "/bin")) {
                    Path program = Path.of(place, tool);
                    if (Files.exists(program) && Files.notExists(tools.resolve(tool))) {
                        script(tools.resolve(tool), "#!/bin/sh\nexec " + program + " \"$@\"\n");
                    }
                }
            }
        }
        return tools;
    }

    private Outcome run(Path script, String... arguments) throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        var command = new java.util.ArrayList<String>();
        command.add(script.toString());
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command);
        builder.directory(directory.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", bin + ":" + tools());
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("BERTH_JAVA_ROOT", directory.toString());
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private record Outcome(int exitCode, String out, String err) {}
}
