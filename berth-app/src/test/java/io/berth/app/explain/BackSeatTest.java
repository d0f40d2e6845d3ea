package io.berth.app.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BackSeatTest {
    private static final Path STATUS = Path.of("/proc/thread-self/stat");

    /// Who explains has less of a claim to the processor than who binds, and what it starts has no
    /// more; whoever started it keeps theirs.
    @Test
    void itsThreadsAndThoseThatTheyStartComeAfterOthers() throws Exception {
        assumeTrue(Files.exists(STATUS), "priorities of threads are read as Linux shows them");
        int before = nice();
        assumeTrue(before < BackSeat.NICE, "this process is further back already");
        var own = new CompletableFuture<Integer>();
        var started = new CompletableFuture<Integer>();
        BackSeat.factory("back")
                .newThread(() -> {
                    own.complete(nice());
                    Thread.ofPlatform().start(() -> started.complete(nice()));
                })
                .start();

        assertThat(own.join()).isEqualTo(BackSeat.NICE);
        assertThat(started.join()).isEqualTo(BackSeat.NICE);
        assertThat(nice()).isEqualTo(before);
    }

    private static int nice() {
        try {
            var fields = Files.readString(STATUS);
            // After the name, which may have blanks, the nice value is the seventeenth field.
            return Integer.parseInt(
                    fields.substring(fields.lastIndexOf(')') + 2).split(" ", -1)[16]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
