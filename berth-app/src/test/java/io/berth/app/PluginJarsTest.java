package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.plugin.PluginFactory;
import io.berth.engine.framework.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginJarsTest {
    private static final String ONE = "return \"One\";";

    @TempDir private Path folder;

    private void jar(String file, String pluginName, boolean named) throws IOException {
        jar(file, "", "return \"" + pluginName + "\";", named);
    }

    /// Compiles a plugin as its author would, against the API alone, and packs it.
    ///
    /// @param making what happens in its constructor
    /// @param naming what happens when it is asked for its name
    private void jar(String file, String making, String naming, boolean named) throws IOException {
        Path work = Files.createDirectories(folder.resolve("work-" + file));
        PluginJar.compile(
                work,
                """
                import io.berth.api.handle.*;
                import io.berth.api.plugin.*;
                public final class Maker implements PluginFactory {
                    public Maker() { %s }
                    public String name() { %s }
                    public Plugin create(Arguments arguments, Handle handle) {
                        return this::name;
                    }
                }
                """
                        .formatted(making, naming));
        pack(file, named);
    }

    private void pack(String file, boolean named) throws IOException {
        PluginJar.pack(folder.resolve("work-" + file), folder.resolve(file), named);
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
    void folderThatCannotBeReadIsNamedWithTheReason() throws IOException {
        Files.writeString(folder.resolve("file"), "");

        assertThatRefused(folder.resolve("nowhere"))
                .hasMessageContaining("nowhere cannot be read: no such file or directory");
        assertThatRefused(folder.resolve("file"))
                .hasMessageContaining("file cannot be read: not a directory");
    }

    @Test
    void brokenJarIsSaidToBeNoJar() throws IOException {
        Files.writeString(folder.resolve("broken.jar"), "no jar at all");

        assertThatRefused(folder).hasMessageContaining("broken.jar is no jar or is damaged");
    }

    @Test
    void whatAPluginThrowsIsToldWithItsJar() throws IOException {
        jar("made.jar", "if (true) throw new IllegalStateException(\"no licence\");", ONE, true);

        assertThatRefused(folder)
                .hasMessageContaining("made.jar cannot be used: ")
                .hasMessageEndingWith("IllegalStateException: no licence");
    }

    @Test
    void aNameIsNeeded() throws IOException {
        jar("named.jar", "", "throw new IllegalStateException(\"forgot\");", true);
        assertThatRefused(folder)
                .hasMessageEndingWith(
                        "named.jar cannot be used: java.lang.IllegalStateException: forgot");

        jar("named.jar", "", "return null;", true);
        assertThatRefused(folder)
                .hasMessageEndingWith(
                        "named.jar cannot be used: Maker has a plugin without a name");
    }

    @Test
    void classesOfANewerJavaAreRefused() throws IOException {
        jar("newer.jar", "", ONE, true);
        Path maker = folder.resolve("work-newer.jar").resolve("Maker.class");
        byte[] code = Files.readAllBytes(maker);
        code[7] = 120;
        Files.write(maker, code);
        pack("newer.jar", true);

        assertThatRefused(folder)
                .hasMessageContaining(
                        "newer.jar cannot be used: Maker has been compiled by a more recent version"
                                + " of the Java Runtime");
    }

    @Test
    @Tag("P-42")
    void pluginMayNotTakeTheNameOfAnotherOne() throws IOException {
        jar("clash.jar", "NodeName", true);
        assertThatRefused(folder)
                .hasMessageContaining("clash.jar: a plugin named NodeName already exists in Berth");

        jar("clash.jar", "Mine", true);
        jar("once-more.jar", "Mine", true);
        assertThatRefused(folder)
                .hasMessageMatching(
                        "plugin jar .*once-more.jar: a plugin named Mine already exists in"
                                + " .*clash.jar: give it another name or take the jar out of the"
                                + " folder");
    }

    private static AbstractThrowableAssert<?, ?> assertThatRefused(Path folder) {
        return assertThatThrownBy(() -> PluginJars.load(folder))
                .isInstanceOf(SettingsException.class);
    }
}
