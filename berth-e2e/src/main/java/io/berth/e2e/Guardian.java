package io.berth.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/// A shell that outlives this JVM by a moment and kills the programs that it left behind. A JVM
/// that ends in order does so itself; one that is killed (SIGKILL) cannot.
///
/// It reads which programs run from a pipe. The pipe ends when the JVM does, however that comes
/// about. Several threads may use it; its lock guards the pipe.
final class Guardian {
    private static final String SCRIPT =
            """
            trap '' INT TERM HUP
            running=
            while read -r what pid; do
                case $what in
                    started) running="$running $pid" ;;
                    ended)
                        left=
                        for one in $running; do
                            [ "$one" = "$pid" ] || left="$left $one"
                        done
                        running=$left
                        ;;
                esac
            done
            [ -z "$running" ] || kill -9 $running 2>/dev/null
            """;

    private final Writer pipe;

    Guardian() {
        try {
            Process shell =
                    new ProcessBuilder("sh", "-c", SCRIPT)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            pipe = shell.outputWriter(StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a shell", e);
        }
    }

    void started(Process process) {
        tell("started", process);
    }

    void ended(Process process) {
        tell("ended", process);
    }

    private synchronized void tell(String what, Process process) {
        try {
            pipe.write(what + " " + process.pid() + "\n");
            pipe.flush();
        } catch (IOException guardianIsGone) {
            // Somebody has killed it. What it was for is a luxury.
        }
    }
}
