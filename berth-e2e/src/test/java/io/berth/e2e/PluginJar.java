package io.berth.e2e;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/// A plugin as somebody else would write it: compiled against the packaged plugin API and nothing
/// else, in a jar of its own.
final class PluginJar {
    private static final String SERVICE = "META-INF/services/io.berth.api.plugin.PluginFactory";

    private PluginJar() {}

    /// Compiles one class, which is a factory of plugins, and puts it into a jar in `folder`.
    static void build(Path folder, String factory, String source) {
        try {
            Path work = Files.createTempDirectory("berth-plugin-");
            try {
                compile(Files.writeString(work.resolve(factory + ".java"), source), work);
                pack(folder.resolve(factory + ".jar"), factory, work);
            } finally {
                Folders.delete(work);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot build the plugin " + factory, e);
        }
    }

    private static void compile(Path source, Path classes) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var complaints = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var options = List.of("-d", classes.toString(), "-cp", pluginApi().toString());
            var units = files.getJavaFileObjects(source);
            if (!compiler.getTask(complaints, files, null, options, null, units).call()) {
                throw new IllegalStateException("the plugin does not compile: " + complaints);
            }
        }
    }

    private static Path pluginApi() throws IOException {
        Path packaged = Checkout.root().resolve("berth-app/target/lib");
        try (var jars = Files.list(packaged)) {
            return jars.filter(jar -> jar.getFileName().toString().startsWith("berth-api-"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no plugin API in " + packaged));
        }
    }

    private static void pack(Path jar, String factory, Path classes) throws IOException {
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                var files = Files.list(classes)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".class")) {
                    out.putNextEntry(new JarEntry(file.getFileName().toString()));
                    Files.copy(file, out);
                }
            }
            out.putNextEntry(new JarEntry(SERVICE));
            out.write(factory.getBytes(StandardCharsets.UTF_8));
        }
    }
}
