package io.berth.app;

import io.berth.api.plugin.PluginFactory;
import io.berth.config.text.FileProblems;
import io.berth.engine.framework.SettingsException;
import io.berth.plugins.InTree;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.zip.ZipException;

/// Finds plugins in a folder of jars. Each jar has a class loader of its own, so that two plugins
/// can bring different versions of one library; all see the same plugin API.
///
/// A jar names its factories in `META-INF/services/io.berth.api.plugin.PluginFactory`.
final class PluginJars {
    private static final String SERVICES = "META-INF/services/" + PluginFactory.class.getName();

    private PluginJars() {}

    /// @throws SettingsException where the folder or a jar cannot be used; the message names it
    static List<PluginFactory> load(Path folder) {
        var factories = new ArrayList<PluginFactory>();
        var places = new HashMap<String, String>();
        InTree.factories().forEach(own -> places.put(own.name(), "Berth itself"));
        for (var jar : jarsIn(folder)) {
            var found = factoriesIn(jar);
            found.forEach(factory -> claimName(factory, jar, places));
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
                    "plugin folder %s cannot be read: %s: name a folder of jars with --plugin-dir"
                            .formatted(folder, FileProblems.reason(unreadable)),
                    unreadable);
        }
    }

    private static List<PluginFactory> factoriesIn(Path jar) {
        requirePlugins(jar);
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
            throw unusable(jar, broken);
        }
        if (factories.isEmpty()) {
            throw withoutPlugins(jar);
        }
        return factories;
    }

    /// A class loader passes over whatever is no jar, so it is opened here first.
    private static void requirePlugins(Path jar) {
        try {
            Files.newInputStream(jar).close();
            try (var file = new JarFile(jar.toFile())) {
                if (file.getEntry(SERVICES) == null) {
                    throw withoutPlugins(jar);
                }
            }
        } catch (ZipException noJar) {
            throw new SettingsException(
                    "plugin jar %s is no jar or is damaged: %s: copy it anew or take it out of the folder"
                            .formatted(jar, noJar.getMessage()),
                    noJar);
        } catch (IOException unreadable) {
            throw new SettingsException(
                    "plugin jar " + jar + " cannot be read: " + FileProblems.reason(unreadable),
                    unreadable);
        }
    }

    /// @param places where each name is taken
    private static void claimName(PluginFactory factory, Path jar, Map<String, String> places) {
        String name;
        try {
            name = Objects.requireNonNullElse(factory.name(), "");
        } catch (RuntimeException | LinkageError broken) {
            throw unusable(jar, broken);
        }
        if (name.isBlank()) {
            throw new SettingsException(
                    "plugin jar %s cannot be used: %s has a plugin without a name"
                            .formatted(jar, factory.getClass().getName()));
        }
        String other = places.putIfAbsent(name, jar.toString());
        if (other != null) {
            throw new SettingsException(
                    "plugin jar %s: a plugin named %s already exists in %s: give it another name or take the jar out of the folder"
                            .formatted(jar, name, other));
        }
    }

    private static SettingsException withoutPlugins(Path jar) {
        return new SettingsException(
                "plugin jar "
                        + jar
                        + " names no plugin: add "
                        + SERVICES
                        + " or take the jar out of the folder");
    }

    /// What a plugin's own code threw is the cause of what the service loader says.
    private static SettingsException unusable(Path jar, Throwable broken) {
        String said =
                switch (broken) {
                    case ServiceConfigurationError wrapped when wrapped.getCause() != null ->
                            wrapped.getMessage() + ": " + wrapped.getCause();
                    case ServiceConfigurationError plain -> String.valueOf(plain.getMessage());
                    case UnsupportedClassVersionError newer -> String.valueOf(newer.getMessage());
                    default -> broken.toString();
                };
        return new SettingsException("plugin jar " + jar + " cannot be used: " + said, broken);
    }
}
