package io.berth.serving.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/// What Linux tells about this process under `/proc/self`; nothing elsewhere.
final class ProcFile {
    private static final Path SELF = Path.of("/proc/self");

    private ProcFile() {}

    static String read(String name) {
        try {
            return Files.readString(SELF.resolve(name), StandardCharsets.ISO_8859_1);
        } catch (IOException elsewhere) {
            return "";
        }
    }

    /// The number that follows a word at the start of a line, such as `VmRSS:`.
    static OptionalDouble number(String text, String word, double unit) {
        for (var line : text.split("\n", -1)) {
            if (line.startsWith(word)) {
                var first = line.substring(word.length()).strip().split("\\s+", 2)[0];
                try {
                    return OptionalDouble.of(Double.parseDouble(first) * unit);
                } catch (NumberFormatException unlimited) {
                    return OptionalDouble.empty();
                }
            }
        }
        return OptionalDouble.empty();
    }

    /// Bytes over all network interfaces, as `/proc/self/net/dev` lists them.
    ///
    /// @param column 0 for received, 8 for sent
    static OptionalDouble networkBytes(String netDev, int column) {
        double sum = 0;
        boolean any = false;
        for (var line : netDev.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                continue;
            }
            var fields = line.substring(colon + 1).strip().split("\\s+", -1);
            if (fields.length > column) {
                sum += Double.parseDouble(fields[column]);
                any = true;
            }
        }
        return any ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }
}
