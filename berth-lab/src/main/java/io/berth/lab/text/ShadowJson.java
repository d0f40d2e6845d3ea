package io.berth.lab.text;

import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value;
import io.berth.lab.shadow.Finding;
import io.berth.lab.shadow.Omission;
import io.berth.lab.shadow.Result;
import io.berth.lab.shadow.ShadowReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a shadow has found, for programs. Names of fields and enums do not change within a version;
/// sentences may.
public final class ShadowJson {
    private ShadowJson() {}

    /// @param configHash of the configuration that was judged by
    public static Value of(
            ShadowReport report, String about, String configHash, List<String> notes) {
        var results = new FieldsBuilder();
        for (var result : Result.values()) {
            results.put(result.word(), report.count(result));
        }
        var omissions = new FieldsBuilder();
        for (var reason : Omission.values()) {
            omissions.put(reason.word(), report.count(reason));
        }
        var plugins = new FieldsBuilder();
        report.plugins().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> plugins.put(entry.getKey(), entry.getValue()));
        return new FieldsBuilder()
                .put("apiVersion", "berth.io/v1alpha1")
                .put("kind", "ShadowReport")
                .put("begun", report.begun().toString())
                .put("durationMillis", report.duration().toMillis())
                .put(
                        "source",
                        new FieldsBuilder()
                                .put("sentence", about)
                                .put("configHash", configHash)
                                .build())
                .put("nodes", report.nodes())
                .put("pods", report.pods())
                .put("judged", report.judged())
                .put("sentence", ShadowText.sentence(report))
                .put("results", results.build())
                .put("notJudged", omissions.build())
                .put("plugins", plugins.build())
                .put(
                        "regret",
                        new FieldsBuilder()
                                .put("sum", report.regretSum())
                                .put("most", report.regretMost())
                                .put(
                                        "mean",
                                        new Value.Numeral(
                                                String.format(
                                                        Locale.ROOT, "%.3f", report.regretMean()),
                                                0))
                                .build())
                .put("worst", Value.of(report.worst().stream().map(ShadowJson::finding).toList()))
                .put("behindMostMillis", report.behindMost().toMillis())
                .putIfSet("lastError", report.lastError())
                .putIfSet("uncertain", notes.stream().map(Value::of).toList())
                .build();
    }

    private static Value finding(Finding finding) {
        var standing = finding.standing();
        var json =
                new FieldsBuilder()
                        .put("pod", finding.pod())
                        .put("profile", finding.profile())
                        .put("node", finding.node())
                        .put("time", finding.at().toString())
                        .put("result", finding.result().word())
                        .put("feasible", standing.feasible());
        standing.total().ifPresent(total -> json.put("total", total));
        return json.put("best", standing.best())
                .putIfSet("bestNode", standing.bestNode())
                .put("ties", standing.ties())
                .put("regret", standing.regret())
                .putIfSet("plugin", finding.plugin())
                .put(
                        "leads",
                        Value.of(
                                standing.leads().stream()
                                        .map(lead ->
                                                new FieldsBuilder()
                                                        .put("plugin", lead.plugin())
                                                        .put("points", lead.points())
                                                        .build())
                                        .toList()))
                .put("sentence", finding.sentence())
                .build();
    }
}
