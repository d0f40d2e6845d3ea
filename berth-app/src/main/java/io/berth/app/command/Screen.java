package io.berth.app.command;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The size of the terminal that the output goes to.
public record Screen(int rows, int columns) {
    private static final Pattern SIZE = Pattern.compile("([0-9]+) ([0-9]+)");

    /// Whether the output is a terminal that can be drawn on.
    @SuppressWarnings("SystemConsoleNull") // since 25 it is null again without a terminal
    public static boolean isThere() {
        Console console = System.console();
        String kind = System.getenv("TERM");
        return console != null && console.isTerminal() && kind != null && !kind.equals("dumb");
    }

    /// Empty where the output goes elsewhere, or the terminal does not tell.
    public static Optional<Screen> measure() {
        Matcher matcher = SIZE.matcher(isThere() ? askSize() : "");
        return matcher.find()
                ? Optional.of(
                        new Screen(
                                Integer.parseInt(matcher.group(1)),
                                Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    /// Java does not tell the size of a terminal; `stty` does, on every Unix.
    private static String askSize() {
        try {
            Process stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!stty.waitFor(1, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return "";
            }
            return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException unknown) {
            return "";
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
