package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.plugin.PluginFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/// A jar with a plugin factory `Maker`, compiled as its author would, against the API alone.
final class PluginJar {
    private PluginJar() {}

    /// @param work where its class is, or goes
    static void compile(Path work, String source) throws IOException {
        Path file = Files.writeString(work.resolve("Maker.java"), source);
        int result =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-proc:none",
                                file.toString());
        assertThat(result).isZero();
    }

    /// @param named whether the jar says that it has a plugin
    static void pack(Path work, Path jar, boolean named) throws IOException {
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("Maker.class"));
            out.write(Files.readAllBytes(work.resolve("Maker.class")));
            if (named) {
                out.putNextEntry(
                        new JarEntry("META-INF/services/" + PluginFactory.class.getName()));
                out.write("Maker\n".getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
