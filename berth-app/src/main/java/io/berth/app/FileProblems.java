package io.berth.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Trouble with files in the words of the operating system, such as `open x: permission denied`.
final class FileProblems {
    private FileProblems() {}

    static String text(String action, Path file, IOException problem) {
        String what =
                switch (problem) {
                    case NoSuchFileException _ -> "no such file or directory";
                    case AccessDeniedException _ -> "permission denied";
                    default ->
                            Files.isDirectory(file)
                                    ? "is a directory"
                                    : String.valueOf(problem.getMessage());
                };
        return action + " " + file + ": " + what;
    }
}
