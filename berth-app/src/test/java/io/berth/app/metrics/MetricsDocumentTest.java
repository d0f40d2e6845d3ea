package io.berth.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.serving.metrics.MetricsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Whoever adds a metric is told here to document it.
final class MetricsDocumentTest {
    private static final Pattern WORD = Pattern.compile("`([a-z_]+\\*?)[^`]*`");

    @Test
    void everyMetricOfTheSchedulerIsInTheDocument() throws IOException {
        var words =
                WORD.matcher(Files.readString(Path.of("..", "docs", "metrics.md")))
                        .results()
                        .map((MatchResult found) -> found.group(1))
                        .toList();
        for (var metric : new ProcessMetrics(MetricsSettings.DEFAULT).process().definitions()) {
            if (metric.name().startsWith("scheduler_") || metric.name().startsWith("berth_")) {
                var name = metric.name().replaceFirst("^scheduler_", "");
                assertThat(words).as(name).anyMatch(word -> names(word, name));
            }
        }
    }

    private static boolean names(String word, String metric) {
        return word.endsWith("*")
                ? metric.startsWith(word.substring(0, word.length() - 1))
                : metric.equals(word);
    }
}
