package io.berth.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.config.text.SmallFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.MemoryUtils;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process loads for the threads of its port. Each fact has a process of its own, since a
/// class is loaded once.
final class PortThreadsTest {
    private static final String MANAGEMENT = "java.lang.management.ManagementFactory";
    private static final int LIMIT_SECONDS = 120;

    @TempDir private Path folder;

    /// Begins the threads of a port, or, with an argument, Jetty's as they come.
    static final class Port {
        private Port() {}

        public static void main(String[] args) throws Exception {
            var wire =
                    args.length > 0
                            ? new QueuedThreadPool()
                            : new PortThreads(PortLimits.DEFAULT).wire();
            wire.start();
            System.out.println("references in a line: " + MemoryUtils.getReferencesPerCacheLine());
            wire.stop();
        }
    }

    /// A start once had the JVM's management server made and described, only because Jetty asks it
    /// how wide a reference is.
    @Test
    void jettyNeedsNoManagementServer() throws Exception {
        assertThat(loaded(List.of(), Port.class.getName()))
                .contains("references in a line: 16")
                .doesNotContain(MANAGEMENT);
    }

    @Test
    void leftToItselfJettyAsksOne() throws Exception {
        assertThat(loaded(List.of(), Port.class.getName(), "as it comes")).contains(MANAGEMENT);
    }

    /// Whoever knows their processor better is believed.
    @Test
    void whatTheOperatorSaysStands() throws Exception {
        var said = List.of("-Dorg.eclipse.jetty.util.referencesPerCacheLine=32");
        assertThat(loaded(said, Port.class.getName())).contains("references in a line: 32");
    }

    /// What a process says, and the classes that it loads.
    private String loaded(List<String> options, String... words)
            throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xlog:class+load"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(options);
        command.addAll(List.of(words));
        var output = folder.resolve("output");
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        var said = new String(SmallFiles.read(output), StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
