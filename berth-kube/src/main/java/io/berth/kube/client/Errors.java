package io.berth.kube.client;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/// Short reasons for messages that people read.
final class Errors {
    private Errors() {}

    static String reason(Throwable problem) {
        return switch (problem) {
            case NoSuchFileException missing -> "no such file or directory";
            case AccessDeniedException denied -> "permission denied";
            default -> {
                String text = problem.getMessage();
                yield text == null || text.isEmpty() ? problem.getClass().getSimpleName() : text;
            }
        };
    }
}
