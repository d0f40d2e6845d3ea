package io.berth.app.command;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// The commands that are there besides the scheduler: on the class path, or in the jars that the
/// system property `berth.commands` names, with what their manifests ask for.
///
/// Those jars have a class loader of their own, so that the class path is the scheduler's and no
/// other, and with it the AOT cache, which belongs to one class path.
public final class Commands {
    private static final String JARS = "berth.commands";

    private final List<Command> all;

    private Commands(List<Command> all) {
        this.all = List.copyOf(all);
    }

    public static Commands find() {
        return new Commands(
                ServiceLoader.load(Command.class, loader(System.getProperty(JARS, ""))).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList());
    }

    /// Lives as long as the process.
    private static ClassLoader loader(String jars) {
        ClassLoader ours = Commands.class.getClassLoader();
        if (jars.isEmpty()) {
            return ours;
        }
        URL[] places =
                Arrays.stream(jars.split(File.pathSeparator, -1))
                        .map(Commands::place)
                        .toArray(URL[]::new);
        return new URLClassLoader("commands", places, ours);
    }

    private static URL place(String jar) {
        try {
            return Path.of(jar).toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException("no address for the file " + jar, impossible);
        }
    }

    public Optional<Command> named(String name) {
        return all.stream().filter(command -> command.name().equals(name)).findFirst();
    }

    /// Those that are for people.
    public List<Command> listed() {
        return all.stream().filter(command -> !command.summary().isEmpty()).toList();
    }
}
