package io.berth.app;

import io.berth.api.plugin.PluginFactory;
import io.berth.engine.framework.SettingsException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Finds plugins in a folder of jars. Each jar has a class loader of its own, so that two plugins
/// can bring different versions of one library; all see the same plugin API.
///
/// A jar names its factories in `META-INF/services/io.berth.api.plugin.PluginFactory`.
final class PluginJars {
    private PluginJars() {}

    /// @throws SettingsException where the folder or a jar cannot be used; the message names it
    static List<PluginFactory> load(Path folder) {
        var factories = new ArrayList<PluginFactory>();
        for (var jar : jarsIn(folder)) {
            var found = factoriesIn(jar);
            if (found.isEmpty()) {
                throw new SettingsException(
                        "plugin jar "
                                + jar
                                + " names no plugin: add META-INF/services/"
                                + PluginFactory.class.getName()
                                + " or take the jar out of the folder");
            }
            factories.addAll(found);
        }
        return factories;
    }

    private static List<Path> jarsIn(Path folder) {
        try (var files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new SettingsException(
                    "plugin folder "
                            + folder
                            + " cannot be read: name an existing folder with --plugin-dir",
                    unreadable);
        }
    }

    private static List<PluginFactory> factoriesIn(Path jar) {
        var factories = new ArrayList<PluginFactory>();
        try {
            // Never closed: the plugins live as long as the process.
            @SuppressWarnings("resource")
            var loader =
                    new URLClassLoader(
                            "plugin " + jar.getFileName(),
                            new URL[] {jar.toUri().toURL()},
                            PluginFactory.class.getClassLoader());
            for (var provider : ServiceLoader.load(PluginFactory.class, loader).stream().toList()) {
                // The application's own plugins are visible from here too.
                if (loader.equals(provider.type().getClassLoader())) {
                    factories.add(provider.get());
                }
            }
        } catch (IOException | ServiceConfigurationError | LinkageError broken) {
            throw new SettingsException(
                    "plugin jar " + jar + " cannot be used: " + broken.getMessage(), broken);
        }
        return factories;
    }
}
