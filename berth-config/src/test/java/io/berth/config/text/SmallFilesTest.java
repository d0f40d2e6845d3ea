package io.berth.config.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class SmallFilesTest {
    @TempDir Path folder;

    @Test
    void aFileOfTheLargestSizeIsRead() throws IOException {
        var file = Files.write(folder.resolve("f"), new byte[SmallFiles.MOST_BYTES]);
        assertThat(SmallFiles.read(file)).hasSize(SmallFiles.MOST_BYTES);
        Files.write(file, new byte[SmallFiles.MOST_BYTES + 1]);
        assertThatThrownBy(() -> SmallFiles.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage("larger than 4194304 bytes");
    }

    @Test
    void aFolderIsNoFile() {
        assertThatThrownBy(() -> SmallFiles.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessage("is a directory");
    }

    @Test
    @Timeout(60)
    @DisabledOnOs(OS.WINDOWS)
    void aPipeThatNobodyWritesToIsGivenUp() throws Exception {
        var pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        assertThatThrownBy(() -> SmallFiles.read(pipe, Duration.ofMillis(50)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("not read within");
        // Whoever still waits at the pipe is let go.
        Files.newOutputStream(pipe).close();
    }
}
