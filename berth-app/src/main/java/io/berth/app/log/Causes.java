package io.berth.app.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/// How a throwable is told in one line, and when its stack is worth telling.
final class Causes {
    private Causes() {}

    /// The message, without the wrappings of futures. A throwable without message is told by its
    /// name.
    static String sentence(Throwable problem) {
        Throwable core = unwrap(problem);
        String message = core.getMessage();
        return message == null || message.isBlank() ? core.getClass().getSimpleName() : message;
    }

    /// The stack of a mistake in the program itself, such as a null pointer. Trouble outside
    /// (connections, files) is told by its sentence alone.
    static Optional<String> trace(Throwable problem) {
        Throwable core = unwrap(problem);
        boolean mistake =
                core instanceof Error
                        || core instanceof RuntimeException
                                && !(core instanceof UncheckedIOException)
                                && core.getClass().getName().startsWith("java.");
        if (!mistake) {
            return Optional.empty();
        }
        var text = new StringWriter();
        problem.printStackTrace(new PrintWriter(text));
        return Optional.of(text.toString());
    }

    private static Throwable unwrap(Throwable problem) {
        Throwable core = problem;
        for (int depth = 0; depth < 8; depth++) {
            Throwable cause = core.getCause();
            boolean wrapping =
                    core instanceof CompletionException
                            || core instanceof ExecutionException
                            || core instanceof UncheckedIOException;
            if (!wrapping || cause == null) {
                return core;
            }
            core = cause;
        }
        return core;
    }
}
