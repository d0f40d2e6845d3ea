package io.berth.e2e;

import java.nio.file.Files;
import java.nio.file.Path;

/// The source tree that the tests run in.
public final class Checkout {
    private Checkout() {}

    /// Its root: the first folder from here upwards that holds this module.
    public static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("berth-e2e/control-plane/build"))) {
                return folder;
            }
        }
        throw new IllegalStateException("not inside a checkout of Berth: " + start);
    }
}
