package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class KubeconfigFileTest {
    @TempDir Path parent;

    @Test
    void fileIsForItsOwnerOnly() throws Exception {
        var file = KubeconfigFile.write("text", parent, 1);
        assertThat(file.path()).hasContent("text");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(file.path().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void closingLeavesNothingBehind() {
        KubeconfigFile.write("text", parent, 1).close();
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void leftoversOfAKilledProcessAreOverwritten() throws Exception {
        var killed = KubeconfigFile.write("old", parent, 1);
        Files.writeString(killed.path().resolveSibling("kubeconfig.new"), "half");
        var next = KubeconfigFile.write("new", parent, 1);
        assertThat(next.path()).isEqualTo(killed.path()).hasContent("new");
        next.close();
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void directoryThatOthersCanWriteIsNotUsed() throws Exception {
        var mine = KubeconfigFile.write("mine", parent, 1);
        Path directory = parent.resolve(parent.relativize(mine.path()).subpath(0, 1));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        var next = KubeconfigFile.write("next", parent, 1);
        assertThat(next.path().getParent()).isNotEqualTo(directory);
        assertThat(next.path()).hasContent("next");
    }

    @Test
    void symbolicLinkIsNotFollowed() throws Exception {
        var earlier = KubeconfigFile.write("text", parent, 1);
        Path name = parent.resolve(parent.relativize(earlier.path()).subpath(0, 1));
        earlier.close();
        Path trap =
                Files.createDirectory(
                        parent.resolve("trap"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(name, trap);
        var next = KubeconfigFile.write("secret", parent, 1);
        assertThat(trap).isEmptyDirectory();
        assertThat(next.path()).hasContent("secret");
    }
}
