package io.berth.config.text;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/// Trouble with files in the words of the operating system, as Go's programs print them: `open x:
/// permission denied`.
public final class FileProblems {
    private FileProblems() {}

    public static String text(String action, Path file, IOException problem) {
        return action + " " + file + ": " + reason(problem);
    }

    /// Why, without the file's name.
    public static String reason(IOException problem) {
        return switch (problem) {
            case NoSuchFileException _ -> "no such file or directory";
            case AccessDeniedException _ -> "permission denied";
            case NotDirectoryException _ -> "not a directory";
            case CharacterCodingException _ -> "the file is no text: invalid UTF-8";
            case FileSystemException other when other.getReason() != null ->
                    decapitalized(other.getReason());
            default -> decapitalized(String.valueOf(problem.getMessage()));
        };
    }

    /// The C library's messages begin with a capital, Go's do not.
    private static String decapitalized(String text) {
        boolean isWord = text.length() > 1 && Character.isLowerCase(text.charAt(1));
        return isWord ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
    }
}
