package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the container image is made of.
class ImageTest {
    private static final Path DEPLOY = Path.of("..", "deploy");

    @TempDir Path folder;

    /// The image's runtime has a few modules of the JDK. One that is missing shows only where a
    /// class of it is used, so a whole life is lived without the others.
    @Test
    void berthRunsWithTheModulesOfTheImage() throws Exception {
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--limit-modules",
                                modules(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "rehearse")
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output)).doesNotContain("NoClassDefFoundError");
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void whatTheImageIsMadeOfIsThere() throws IOException {
        assertThat(DEPLOY.resolve("image/kube-scheduler")).isExecutable();
        var copied = Pattern.compile("deploy/image/[\\w.-]+").matcher(dockerfile());
        assertThat(copied.results().map(found -> Path.of("..", found.group())))
                .isNotEmpty()
                .allMatch(Files::exists);
    }

    private static String modules() throws IOException {
        var list = Pattern.compile("--add-modules (\\S+)").matcher(dockerfile());
        assertThat(list.find()).isTrue();
        assertThat(List.of(list.group(1).split(",", -1))).contains("java.base");
        return list.group(1);
    }

    /// With its continued lines joined.
    private static String dockerfile() throws IOException {
        return Files.readString(DEPLOY.resolve("image/Dockerfile")).replace("\\\n", "");
    }
}
