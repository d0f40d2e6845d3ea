package io.berth.serving.metrics;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A strict reader of the text format, version 0.0.4: it takes what every reader must take, and
/// refuses what some do not. Each family comes once, with HELP and TYPE before its samples;
/// histograms have growing buckets that end with `+Inf` and agree with their count.
public final class PrometheusText {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\n\"])*)\"(,|$)");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary");

    /// One line of a histogram.
    public record Bucket(double bound, double count) {}

    /// One metric as it was read.
    public static final class Read {
        public final String name;
        public String help = "";
        public String type = "";
        public final Map<String, Double> samples = new LinkedHashMap<>();
        public final Set<String> labels = new HashSet<>();
        public final Map<String, List<Bucket>> buckets = new LinkedHashMap<>();

        Read(String name) {
            this.name = name;
        }
    }

    private final Map<String, Read> families = new LinkedHashMap<>();

    public static PrometheusText read(byte[] text) {
        var reader = new PrometheusText();
        reader.readAll(new String(text, StandardCharsets.UTF_8));
        return reader;
    }

    public Map<String, Read> families() {
        return families;
    }

    public Read family(String name) {
        var family = families.get(name);
        if (family == null) {
            throw new AssertionError("no metric " + name);
        }
        return family;
    }

    private void readAll(String text) {
        if (text.isEmpty()) {
            return;
        }
        require(text.endsWith("\n"), "no newline at the end");
        @Nullable Read current = null;
        for (var line : text.substring(0, text.length() - 1).split("\n", -1)) {
            if (line.startsWith("# HELP ")) {
                var words = line.substring(7).split(" ", 2);
                require(words.length == 2, "no help text: " + line);
                current = new Read(words[0]);
                current.help = words[1];
                require(families.put(current.name, current) == null, "twice: " + line);
            } else if (line.startsWith("# TYPE ")) {
                var words = line.substring(7).split(" ", -1);
                require(words.length == 2 && TYPES.contains(words[1]), line);
                if (current == null || !current.name.equals(words[0])) {
                    throw new AssertionError("stray: " + line);
                }
                require(current.samples.isEmpty() && current.type.isEmpty(), "too late: " + line);
                current.type = words[1];
            } else {
                if (current == null || current.type.isEmpty()) {
                    throw new AssertionError("no head before: " + line);
                }
                sample(current, line);
            }
        }
        families.values().forEach(PrometheusText::checkFamily);
    }

    private static void sample(Read family, String line) {
        var match = SAMPLE.matcher(line);
        require(match.matches(), "not a sample: " + line);
        require(match.group(1).startsWith(family.name), "not of the family: " + line);
        String suffix = match.group(1).substring(family.name.length());
        boolean isPart =
                switch (family.type) {
                    case "histogram" -> Set.of("_bucket", "_sum", "_count").contains(suffix);
                    case "summary" -> Set.of("_sum", "_count").contains(suffix);
                    default -> suffix.isEmpty();
                };
        require(isPart, "not of the family: " + line);
        var labels = labels(match.group(2), line);
        labels.keySet().stream().filter(name -> !name.equals("le")).forEach(family.labels::add);
        double value = number(match.group(3));
        String bound = labels.remove("le");
        require((bound != null) == suffix.equals("_bucket"), "le in the wrong place: " + line);
        if (bound != null) {
            family.buckets
                    .computeIfAbsent(labels.toString(), _ -> new ArrayList<>())
                    .add(new Bucket(number(bound), value));
            return;
        }
        require(!family.type.equals("counter") || value >= 0, "negative: " + line);
        require(family.samples.put(suffix + labels, value) == null, "twice: " + line);
    }

    private static Map<String, String> labels(@Nullable String text, String line) {
        var labels = new TreeMap<String, String>();
        var match = LABEL.matcher(text == null ? "" : text);
        int end = 0;
        while (text != null && end < text.length()) {
            require(match.find(end) && match.start() == end, "bad labels: " + line);
            require(labels.put(match.group(1), match.group(2)) == null, "label twice: " + line);
            end = match.end();
        }
        return labels;
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static void checkFamily(Read family) {
        require(!family.samples.isEmpty(), "no samples: " + family.name);
        if (family.type.equals("histogram")) {
            require(!family.buckets.isEmpty(), "no buckets: " + family.name);
            family.buckets.forEach((series, buckets) -> checkHistogram(family, series, buckets));
        }
    }

    private static void checkHistogram(Read family, String series, List<Bucket> buckets) {
        for (int i = 1; i < buckets.size(); i++) {
            var before = buckets.get(i - 1);
            var bucket = buckets.get(i);
            require(before.bound < bucket.bound, "bounds out of order: " + family.name + series);
            require(before.count <= bucket.count, "buckets shrink: " + family.name + series);
        }
        var last = buckets.getLast();
        require(Double.isInfinite(last.bound), "no +Inf: " + family.name + series);
        require(
                family.samples.getOrDefault("_count" + series, -1.0) == last.count,
                "count and buckets differ: " + family.name + series);
        require(family.samples.containsKey("_sum" + series), "no sum: " + family.name + series);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
