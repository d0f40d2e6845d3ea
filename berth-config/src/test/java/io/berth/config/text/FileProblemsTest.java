package io.berth.config.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProblemsTest {
    @TempDir Path folder;

    @Test
    void reasonsAreThoseOfTheOperatingSystem() throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThat(readText(folder.resolve("nowhere"))).endsWith(": no such file or directory");
        assertThat(readText(file.resolve("below"))).endsWith(": not a directory");
        assertThat(readText(file)).endsWith(": the file is no text: invalid UTF-8");
        assertThat(readText(folder)).isEqualTo("open " + folder + ": is a directory");
    }

    @Test
    void wordsInCapitalsStayAsTheyAre() {
        assertThat(FileProblems.reason(new IOException("IO trouble"))).isEqualTo("IO trouble");
    }

    private static String readText(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException problem) {
            return FileProblems.text("open", file, problem);
        }
    }
}
