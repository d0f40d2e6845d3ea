package io.berth.bench.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// All samples of a run: medians, the ratio of the first scheduler to the second, and its share of
/// what the null scheduler shows to be possible.
final class Report {
    private final List<String> schedulers;
    private final Map<String, Map<String, List<Sample>>> samples = new LinkedHashMap<>();
    private final Map<String, String> settings;

    Report(List<String> schedulers, Map<String, String> settings) {
        this.schedulers = List.copyOf(schedulers);
        this.settings = new LinkedHashMap<>(settings);
    }

    void add(String workload, String scheduler, Sample sample) {
        samples.computeIfAbsent(workload, _ -> new LinkedHashMap<>())
                .computeIfAbsent(scheduler, _ -> new ArrayList<>())
                .add(sample);
    }

    /// One line for each workload and figure.
    String table() {
        var text = new StringBuilder("| workload | figure |");
        schedulers.forEach(name -> text.append(' ').append(name).append(" |"));
        text.append(" ratio | of the limit |");
        int columns = 4 + schedulers.size();
        text.append("\n|").append("---|".repeat(columns)).append('\n');
        samples.forEach((workload, bySchedulers) ->
                Sample.figures()
                        .forEach((heading, figure) ->
                                text.append(line(workload, heading, figure, bySchedulers))));
        return text.toString();
    }

    private String line(
            String workload,
            String heading,
            ToDoubleFunction<Sample> figure,
            Map<String, List<Sample>> bySchedulers) {
        var line = new StringBuilder("| " + workload + " | " + heading + " |");
        var medians = new ArrayList<Double>();
        for (String name : schedulers) {
            double median = median(bySchedulers.getOrDefault(name, List.of()), figure);
            medians.add(median);
            line.append(
                    Double.isNaN(median) ? " – |" : String.format(Locale.ROOT, " %.4g |", median));
        }
        int nobody = schedulers.indexOf(NullScheduler.NAME);
        line.append(
                medians.size() < 2 || nobody == 1 ? " |" : ratio(medians.get(0), medians.get(1)));
        line.append(nobody < 0 ? " |" : share(heading, medians.getFirst(), medians.get(nobody)));
        return line.append('\n').toString();
    }

    /// Only of throughput there is a limit.
    private static String share(String heading, double one, double limit) {
        return heading.equals(Sample.THROUGHPUT) && limit > 0
                ? String.format(Locale.ROOT, " %.2f |", one / limit)
                : " |";
    }

    /// `3.2 : 1` or `1 : 20`.
    private static String ratio(double one, double other) {
        if (Double.isNaN(one) || Double.isNaN(other) || one <= 0 || other <= 0) {
            return " |";
        }
        return one >= other
                ? String.format(Locale.ROOT, " %.1f : 1 |", one / other)
                : String.format(Locale.ROOT, " 1 : %.1f |", other / one);
    }

    private static double median(List<Sample> all, ToDoubleFunction<Sample> figure) {
        double[] values = all.stream().mapToDouble(figure).sorted().toArray();
        if (values.length == 0) {
            return Double.NaN;
        }
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }

    /// Every sample, for other tools.
    String json() {
        var mapper = new ObjectMapper();
        var root = mapper.createObjectNode();
        settings.forEach(root::put);
        var workloads = root.putObject("workloads");
        samples.forEach((workload, bySchedulers) -> {
            ObjectNode each = workloads.putObject(workload);
            bySchedulers.forEach((scheduler, list) -> {
                var array = each.putArray(scheduler);
                list.forEach(sample -> array.addPOJO(sample));
            });
        });
        return root.toPrettyString();
    }
}
