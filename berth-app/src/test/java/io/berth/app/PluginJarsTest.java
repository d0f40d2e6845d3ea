package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.plugin.PluginFactory;
import io.berth.engine.framework.Registry;
import io.berth.engine.framework.SettingsException;
import io.berth.plugins.InTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginJarsTest {
    @TempDir private Path folder;

    /// Compiles a plugin as its author would, against the API alone, and packs it.
    private void jar(String file, String pluginName, boolean named) throws IOException {
        Path work = Files.createDirectories(folder.resolve("work-" + file));
        Path source =
                Files.writeString(
                        work.resolve("Maker.java"),
                        """
                        import io.berth.api.plugin.*;
                        public final class Maker implements PluginFactory {
                            public String name() { return "%s"; }
                            public Plugin create(Arguments arguments, Handle handle) {
                                return () -> "%s";
                            }
                        }
                        """
                                .formatted(pluginName, pluginName));
        int result =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-proc:none",
                                source.toString());
        assertThat(result).isZero();
        try (var out = new JarOutputStream(Files.newOutputStream(folder.resolve(file)))) {
            out.putNextEntry(new JarEntry("Maker.class"));
            out.write(Files.readAllBytes(work.resolve("Maker.class")));
            if (named) {
                out.putNextEntry(
                        new JarEntry("META-INF/services/" + PluginFactory.class.getName()));
                out.write("Maker\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void everyJarHasAClassLoaderOfItsOwn() throws IOException {
        jar("a.jar", "Alpha", true);
        jar("b.jar", "Beta", true);

        var factories = PluginJars.load(folder);

        assertThat(factories).extracting(PluginFactory::name).containsExactly("Alpha", "Beta");
        assertThat(factories.get(0).getClass().getClassLoader())
                .isNotEqualTo(factories.get(1).getClass().getClassLoader());
    }

    @Test
    void jarWithoutPluginIsNamed() throws IOException {
        jar("useless.jar", "Gamma", false);

        assertThatThrownBy(() -> PluginJars.load(folder))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("useless.jar names no plugin");
    }

    @Test
    void missingFolderIsNamed() {
        assertThatThrownBy(() -> PluginJars.load(folder.resolve("nowhere")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("nowhere cannot be read");
    }

    @Test
    void brokenJarIsNamed() throws IOException {
        Files.writeString(folder.resolve("broken.jar"), "no jar at all");

        assertThatThrownBy(() -> PluginJars.load(folder))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("broken.jar");
    }

    @Test
    @Tag("P-42")
    void pluginMayNotTakeTheNameOfAnotherOne() throws IOException {
        jar("clash.jar", "NodeName", true);
        var registry = Registry.of(InTree.factories());
        var more = Registry.of(PluginJars.load(folder));

        assertThatThrownBy(() -> registry.merge(more))
                .hasMessage("a plugin named NodeName already exists");
    }
}
