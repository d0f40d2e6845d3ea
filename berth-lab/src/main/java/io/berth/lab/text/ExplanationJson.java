package io.berth.lab.text;

import io.berth.api.relax.Edit;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value;
import io.berth.lab.explain.Fix;
import io.berth.lab.explain.Group;
import io.berth.lab.explain.NodeReport;
import io.berth.lab.explain.PendingReport;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.explain.PodExplanation.ChoiceReport;
import io.berth.lab.explain.PodExplanation.NodeRow;
import io.berth.lab.explain.PodExplanation.PreemptionReport;
import io.berth.lab.explain.QueueFacts;
import io.berth.lab.explain.Source;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Explanations as objects of an API. Names of fields and enums are stable within the version;
/// sentences are not.
public final class ExplanationJson {
    public static final String VERSION = "berth.io/v1alpha1";

    private ExplanationJson() {}

    public static Value of(PodExplanation told) {
        var pod = told.pod();
        var owner = pod.controller();
        var fields =
                head("PodExplanation")
                        .put(
                                "pod",
                                new FieldsBuilder()
                                        .put("namespace", pod.namespace())
                                        .put("name", pod.name())
                                        .put("uid", pod.uid())
                                        .putIfSet(
                                                "owner",
                                                owner == null
                                                        ? ""
                                                        : owner.kind() + "/" + owner.name())
                                        .put("schedulerName", pod.spec().schedulerName())
                                        .put("priority", pod.spec().priority())
                                        .putIfSet("nodeName", pod.nodeName())
                                        .build())
                        .put("source", source(told.source()))
                        .put("phase", phase(told.phase()))
                        .put(
                                "counts",
                                new FieldsBuilder()
                                        .put("nodes", told.counts().nodes())
                                        .put("judged", told.counts().judged())
                                        .put("feasible", told.counts().feasible())
                                        .build())
                        .putIfSet("message", told.message())
                        .put("groups", list(told.groups(), ExplanationJson::group))
                        .put("nodes", list(told.nodes(), ExplanationJson::node));
        told.choice().ifPresent(choice -> fields.put("choice", choice(choice)));
        told.nearest()
                .ifPresent(nearest ->
                        fields.put(
                                "nearest",
                                new FieldsBuilder()
                                        .put("node", nearest.node())
                                        .put("sentence", nearest.text())
                                        .put("lacks", list(nearest.lacks(), ExplanationJson::lack))
                                        .put("pods", texts(nearest.pods()))
                                        .build()));
        told.preemption().ifPresent(report -> fields.put("preemption", preemption(report)));
        fields.putIfSet(
                "history",
                told.phase().queue().history().stream().map(ExplanationJson::attempt).toList());
        return fields.put("fixes", list(told.fixes(), ExplanationJson::fix))
                .put(
                        "effort",
                        new FieldsBuilder()
                                .put("tried", told.effort().tried())
                                .put("millis", told.effort().millis())
                                .put("budgetReached", told.effort().isCut())
                                .build())
                .put("uncertain", texts(told.uncertain()))
                .put("truncated", told.nodes().size() < told.counts().nodes())
                .build();
    }

    private static FieldsBuilder head(String kind) {
        return new FieldsBuilder().put("apiVersion", VERSION).put("kind", kind);
    }

    private static Value source(Source source) {
        return new FieldsBuilder()
                .put("kind", source.kind().name().toLowerCase(Locale.ROOT))
                .put("sentence", source.sentence())
                .putIfSet("stateVersion", source.stateVersion())
                .put("ageMillis", source.ageMillis())
                .putIfSet("configHash", source.configHash())
                .putIfSet("berthVersion", source.berthVersion())
                .build();
    }

    private static Value phase(PodExplanation.Phase phase) {
        var queue = phase.queue();
        var fields =
                new FieldsBuilder()
                        .put("category", phase.category().word())
                        .put("sentence", phase.sentence())
                        .put("queue", queue.queue());
        var since = queue.since();
        if (since != null) {
            fields.put("since", since.toString());
        }
        if (queue.attempts() >= 0) {
            fields.put("attempts", queue.attempts());
        }
        if (queue.position() > 0) {
            fields.put("position", queue.position());
        }
        fields.putIfSet("ahead", queue.ahead().stream().map(Value::of).toList());
        var next = queue.nextTry();
        if (next != null || !phase.wakeups().isEmpty()) {
            fields.put(
                    "nextTry",
                    new FieldsBuilder()
                            .putIfSet("time", next == null ? "" : next.toString())
                            .putIfSet("events", phase.wakeups().stream().map(Value::of).toList())
                            .build());
        }
        return fields.putIfSet("refusedBy", queue.refusedBy().stream().map(Value::of).toList())
                .build();
    }

    private static Value attempt(QueueFacts.Attempt attempt) {
        return new FieldsBuilder()
                .put("time", attempt.time().toString())
                .put("times", attempt.times())
                .put("sentence", attempt.message())
                .build();
    }

    private static Value group(Group group) {
        return new FieldsBuilder()
                .put("count", group.count())
                .put("filters", texts(group.filters()))
                .putIfSet("besideNominatedPods", group.isBesideNominated())
                .put("reasons", list(group.reasons(), ExplanationJson::reason))
                .put(
                        "details",
                        list(
                                group.details(),
                                detail ->
                                        new FieldsBuilder()
                                                .put("plugin", detail.plugin())
                                                .put("text", detail.text())
                                                .put("count", detail.count())
                                                .build()))
                .put("remedy", remedy(group.remedy()))
                .put(
                        "examples",
                        list(
                                group.examples(),
                                example ->
                                        new FieldsBuilder()
                                                .put("node", example.node())
                                                .put("detail", example.detail())
                                                .build()))
                .build();
    }

    private static Value reason(Group.Reason reason) {
        var fields =
                new FieldsBuilder()
                        .put("plugin", reason.plugin())
                        .put("text", reason.text())
                        .put("count", reason.count());
        var lack = reason.lack();
        return (lack == null ? fields : fields.put("lack", lack(lack))).build();
    }

    private static Value lack(Lack lack) {
        return new FieldsBuilder()
                .put("resource", lack.resource())
                .put("wanted", lack.wanted())
                .put("available", lack.available())
                .build();
    }

    private static String remedy(Refusal.Remedy remedy) {
        return switch (remedy) {
            case PREEMPTION_MAY_HELP -> "preemption";
            case NOTHING_HELPS -> "none";
            case PENDING -> "pending";
        };
    }

    private static Value node(NodeRow row) {
        var node = row.node();
        var fields =
                new FieldsBuilder()
                        .put("name", node.name())
                        .putIfSet("zone", row.zone())
                        .put("feasible", node.isFeasible());
        if (node.isLeftOut()) {
            fields.put("leftOut", true);
        }
        fields.put(
                "refusals",
                list(
                        node.refusals(),
                        answer -> {
                            var refusal = (Refusal) answer.verdict();
                            return new FieldsBuilder()
                                    .put("plugin", answer.plugin())
                                    .put("text", String.join(", ", refusal.reasons()))
                                    .putIfSet("detail", detail(row, answer.plugin()))
                                    .put("remedy", remedy(refusal.remedy()))
                                    .putIfSet(
                                            "lacks",
                                            answer.lacks().stream()
                                                    .map(ExplanationJson::lack)
                                                    .toList())
                                    .build();
                        }));
        node.rating()
                .ifPresent(rating ->
                        fields.put("total", rating.total())
                                .put("rank", rating.rank())
                                .put(
                                        "scores",
                                        list(
                                                rating.scores(),
                                                score ->
                                                        new FieldsBuilder()
                                                                .put("plugin", score.plugin())
                                                                .put("raw", score.raw())
                                                                .put(
                                                                        "normalized",
                                                                        score.normalized())
                                                                .put("weight", score.weight())
                                                                .put("weighted", score.weighted())
                                                                .build())));
        return fields.build();
    }

    private static String detail(NodeRow row, String plugin) {
        return row.details().stream()
                .filter(detail -> detail.plugin().equals(plugin))
                .map(Group.Detail::text)
                .findFirst()
                .orElse("");
    }

    private static Value choice(ChoiceReport choice) {
        var now = choice.now();
        return new FieldsBuilder()
                .put("node", now.node())
                .putIfSet("actual", choice.actual())
                .put("total", now.total())
                .put("ties", now.ties())
                .put(
                        "chosenBy",
                        switch (now.reason()) {
                            case NOMINATED -> "nominated";
                            case ONLY_ONE -> "onlyOne";
                            case SCORE -> "score";
                            case ORDER -> "order";
                            case CHANCE -> "random";
                        })
                .put(
                        "influence",
                        list(
                                choice.influence(),
                                one ->
                                        new FieldsBuilder()
                                                .put("plugin", one.plugin())
                                                .put("winnerWithout", one.winnerWithout())
                                                .put("winnerChanged", one.winnerChanged())
                                                .put("topOverlapPercent", one.topOverlap())
                                                .build()))
                .build();
    }

    private static Value preemption(PreemptionReport report) {
        return new FieldsBuilder()
                .put("eligible", report.eligible())
                .put("sentence", report.sentence())
                .put(
                        "candidates",
                        list(
                                report.options(),
                                option ->
                                        new FieldsBuilder()
                                                .put("node", option.node())
                                                .put("victims", victims(option.victims()))
                                                .put("pdbViolations", option.violations())
                                                .put("victimsPlaceable", option.placeable())
                                                .build()))
                .build();
    }

    private static Value victims(List<Fix.Victim> victims) {
        return list(
                victims,
                victim ->
                        new FieldsBuilder()
                                .put("pod", victim.pod())
                                .put("priority", victim.priority())
                                .putIfSet("newNode", victim.newNode())
                                .build());
    }

    private static Value fix(Fix fix) {
        var fields =
                new FieldsBuilder()
                        .put("id", fix.id())
                        .put("sentence", fix.sentence())
                        .put(
                                "who",
                                switch (fix.who()) {
                                    case NOBODY -> "nobody";
                                    case OWNER -> "owner";
                                    case ADMIN -> "admin";
                                    case VICTIMS -> "victims";
                                    case NEW_NODE -> "newNode";
                                })
                        .put("cutPercent", fix.cutPercent())
                        .put("nodes", fix.nodes())
                        .put("landsOn", fix.landsOn())
                        .put("verified", true);
        if (!fix.patch().edits().isEmpty()) {
            fields.put("edits", list(fix.patch().edits(), ExplanationJson::edit));
        }
        if (fix.hasPatch()) {
            fields.put("patch", patch(fix)).putIfSet("patchOf", fix.patch().target());
        }
        if (!fix.victims().isEmpty()) {
            fields.put("victims", victims(fix.victims()));
        }
        return fields.putIfSet("command", fix.command()).build();
    }

    private static Value edit(Edit edit) {
        return new FieldsBuilder()
                .put("path", edit.path())
                .put("from", plain(edit.from()))
                .put("to", plain(edit.to()))
                .build();
    }

    /// A fix as a JSON Patch of the pod, or of another object.
    public static Value patch(Fix fix) {
        return list(
                fix.patch().edits(),
                edit -> {
                    var step =
                            new FieldsBuilder()
                                    .put("op", edit.op().name().toLowerCase(Locale.ROOT))
                                    .put("path", edit.path());
                    return (edit.op() == Edit.Op.REMOVE
                                    ? step
                                    : step.put("value", plain(edit.to())))
                            .build();
                });
    }

    private static Value plain(@Nullable Object value) {
        return switch (value) {
            case null -> new Value.Nothing(0);
            case String text -> Value.of(text);
            case Boolean set -> Value.of(set);
            case Number number -> Value.of(number.longValue());
            case List<?> items -> Value.of(items.stream().map(ExplanationJson::plain).toList());
            case Map<?, ?> map -> {
                var fields = new FieldsBuilder();
                map.forEach((key, each) -> fields.put(String.valueOf(key), plain(each)));
                yield fields.build();
            }
            default -> Value.of(value.toString());
        };
    }

    public static Value of(PendingReport report) {
        return head("PendingReport")
                .put("source", source(report.source()))
                .put("pods", report.pods())
                .put(
                        "causes",
                        list(
                                report.causes(),
                                cause ->
                                        new FieldsBuilder()
                                                .put("category", cause.category().word())
                                                .putIfSet("plugin", cause.plugin())
                                                .putIfSet("text", cause.text())
                                                .putIfSet("owner", cause.key())
                                                .put("count", cause.count())
                                                .putIfSet(
                                                        "oldest",
                                                        cause.oldest() == null
                                                                ? ""
                                                                : cause.oldest().toString())
                                                .put("examples", texts(cause.examples()))
                                                .build()))
                .put("uncertain", texts(report.uncertain()))
                .put("truncated", report.isCut())
                .build();
    }

    public static Value of(NodeReport report) {
        return head("NodeExplanation")
                .put("source", source(report.source()))
                .put("node", report.node().name())
                .put("unschedulable", report.node().unschedulable())
                .put("pods", report.pods())
                .put("pending", report.pending())
                .put("takers", report.takers())
                .put(
                        "barriers",
                        list(
                                report.barriers(),
                                barrier ->
                                        new FieldsBuilder()
                                                .put("count", barrier.count())
                                                .put("filters", texts(barrier.filters()))
                                                .put("text", barrier.text())
                                                .put("examples", texts(barrier.examples()))
                                                .build()))
                .put("uncertain", texts(report.uncertain()))
                .build();
    }

    private static Value texts(List<String> texts) {
        return Value.of(texts.stream().map(Value::of).toList());
    }

    private static <T> Value list(List<T> items, java.util.function.Function<T, Value> writer) {
        return Value.of(items.stream().map(writer).toList());
    }
}
