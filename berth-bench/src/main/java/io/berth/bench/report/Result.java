package io.berth.bench.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// What a part of the report has printed, and where and when.
///
/// @param load the machine's load average just before
/// @param output Markdown, or plain lines where the command prints no table
public record Result(
        String part,
        String command,
        String date,
        String commit,
        String machine,
        double load,
        long seconds,
        String output) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static Path file(Path folder, String part) {
        return folder.resolve(part + ".json");
    }

    void keep(Path folder) throws IOException {
        Files.createDirectories(folder);
        String text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(this);
        Files.writeString(file(folder, part), text + "\n");
    }

    /// What was kept of a part; empty where nothing was.
    ///
    /// @throws IllegalArgumentException where the file holds something else
    static Optional<Result> kept(Path folder, String part) throws IOException {
        var file = file(folder, part);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(MAPPER.readValue(Files.readString(file), Result.class));
        } catch (JacksonException broken) {
            throw new IllegalArgumentException(
                    file + " holds no result of the report; measure the part again or delete it",
                    broken);
        }
    }

    /// As it stands in the document: which command gave it and when, then its tables.
    String markdown() {
        var text = output.strip();
        boolean hasTable = text.startsWith("|") || text.contains("\n|");
        return "`%s`, %s, commit %s, %s, load before it %.1f:%n%n%s"
                .formatted(
                        command,
                        date,
                        commit,
                        duration(),
                        load,
                        hasTable ? text : "```\n" + text + "\n```");
    }

    private String duration() {
        return seconds < 60 ? seconds + " s" : (seconds + 30) / 60 + " min";
    }
}
