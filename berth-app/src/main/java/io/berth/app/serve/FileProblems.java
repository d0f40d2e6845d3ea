package io.berth.app.serve;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/// Says in the system's words why a file could not be used.
final class FileProblems {
    private FileProblems() {}

    static String reason(IOException problem) {
        return switch (problem) {
            case NoSuchFileException _ -> "no such file or directory";
            case AccessDeniedException _ -> "permission denied";
            default -> String.valueOf(problem.getMessage());
        };
    }
}
