package io.berth.tools.explain;

import io.berth.api.model.Pod;
import io.berth.app.ExitCode;
import io.berth.app.Version;
import io.berth.app.command.Screen;
import io.berth.app.command.Streams;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.config.text.YamlWriter;
import io.berth.engine.SystemTime;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ClusterStudy.Context;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.NodeStudy;
import io.berth.lab.explain.PendingStudy;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.explain.Source;
import io.berth.lab.text.ExplanationJson;
import io.berth.lab.text.Ink;
import io.berth.lab.text.PodText;
import io.berth.lab.text.ReportText;
import io.berth.tools.cluster.Judgement;
import io.berth.tools.explain.ExplainOptions.Output;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// One run of `berth explain`: reads, judges, tells.
final class Explaining {
    private static final int USUAL_WIDTH = 80;
    private static final int WIDE = 160;

    private final ExplainOptions options;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;
    private final Progress progress;

    Explaining(
            ExplainOptions options,
            Map<String, String> environment,
            Streams streams,
            Progress progress) {
        this.options = options;
        this.environment = environment;
        this.out = streams.out();
        this.err = streams.err();
        this.progress = progress;
    }

    /// @throws ExplainException where it cannot be told
    int run() {
        boolean isAuto = options.from().equals(ExplainOptions.AUTO);
        boolean hasScheduler = !options.scheduler().server().isEmpty();
        if (options.from().equals(ExplainOptions.SCHEDULER) || isAuto && hasScheduler) {
            try {
                return new SchedulerReading(options, environment, out)
                        .run(width(), ink() == Ink.COLOURS);
            } catch (SchedulerReading.NoAnswerException none) {
                if (!isAuto) {
                    throw new ExplainException(none.sentence(), none);
                }
                err.println("Note: " + none.sentence() + "; the cluster is read instead");
            }
        }
        return judge(isAuto || options.from().equals(ExplainOptions.CLUSTER));
    }

    private int judge(boolean isCluster) {
        var judgement = Judgement.by(options.config());
        var facts =
                isCluster
                        ? new ClusterReading(options, environment, progress)
                                .read(judgement.setup().settings().awaitedKinds())
                        : new DumpReading(options.from(), progress).read();
        try (var study = study(judgement, facts)) {
            return switch (options.subject()) {
                case POD -> pod(study, facts);
                case PENDING -> pending(study, facts);
                case NODE -> node(study);
            };
        }
    }

    private static ClusterStudy study(Judgement judgement, ClusterFacts facts) {
        var uncertain = new ArrayList<>(facts.uncertain());
        if (!judgement.setup().missing().isEmpty()) {
            uncertain.add(
                    "judged without %s, which Berth lacks"
                            .formatted(String.join(", ", judgement.setup().missing())));
        }
        var source =
                new Source(
                        facts.kind(),
                        facts.sentence(),
                        facts.version(),
                        0,
                        judgement.hash(),
                        Version.berth());
        return new ClusterStudy(
                judgement.setup().settings(),
                judgement.setup().registry(),
                new SystemTime(),
                facts.image(),
                new Context(source, facts.classes(), Map.of(), uncertain));
    }

    private int pod(ClusterStudy study, ClusterFacts facts) {
        var namespace = options.namespace().isEmpty() ? facts.namespace() : options.namespace();
        Pod pod =
                study.pod(namespace + "/" + options.name())
                        .orElseThrow(() -> Names.noPod(namespace, options.name(), facts.image()));
        for (var node : options.question().nodes()) {
            if (study.node(node).isEmpty()) {
                throw Names.noNode(node, study);
            }
        }
        var told = study.explain(pod, options.question());
        if (options.output() == Output.PATCH) {
            return patch(told);
        }
        print(
                () -> ExplanationJson.of(told),
                () -> PodText.of(told, width(), ink(), Instant.now()));
        boolean isStuck = told.choice().isEmpty() && !pod.isAssigned() && told.fixes().isEmpty();
        return isStuck && options.question().fixes() ? ExplainCommand.NO_FIX : ExitCode.OK;
    }

    private int patch(PodExplanation told) {
        var fix =
                told.fixes().stream()
                        .filter(one -> one.id() == options.patch())
                        .findFirst()
                        .orElseThrow(() ->
                                new ExplainException(
                                        "there is no fix %d; there are %d"
                                                .formatted(options.patch(), told.fixes().size())));
        if (!fix.hasPatch()) {
            throw new ExplainException(
                    "fix %d (%s) is no patch of the pod%s"
                            .formatted(
                                    fix.id(),
                                    fix.sentence(),
                                    fix.command().isEmpty() ? "" : "; type: " + fix.command()));
        }
        out.println(JsonWriter.write(ExplanationJson.patch(fix)));
        return ExitCode.OK;
    }

    private int pending(ClusterStudy study, ClusterFacts facts) {
        var namespace = options.namespace().isEmpty() ? facts.namespace() : options.namespace();
        boolean isAll =
                options.allNamespaces()
                        || options.namespace().isEmpty() && facts.kind() == Source.Kind.DUMP;
        var pods =
                study.pending().stream()
                        .filter(pod -> isAll || pod.namespace().equals(namespace))
                        .toList();
        var report = new PendingStudy(study, options.by()).report(pods);
        print(
                () -> ExplanationJson.of(report),
                () -> ReportText.of(report, options.by(), width(), ink(), Instant.now()));
        return ExitCode.OK;
    }

    private int node(ClusterStudy study) {
        var node =
                study.node(options.name()).orElseThrow(() -> Names.noNode(options.name(), study));
        var report = new NodeStudy(study, node).report();
        print(() -> ExplanationJson.of(report), () -> ReportText.of(report, width(), ink()));
        return ExitCode.OK;
    }

    private void print(Supplier<Value> json, Supplier<List<String>> text) {
        switch (options.output()) {
            case JSON -> out.println(JsonWriter.write(json.get()));
            case YAML -> out.print(YamlWriter.write(json.get()));
            default -> text.get().forEach(out::println);
        }
    }

    private int width() {
        int screen = Screen.measure().map(Screen::columns).orElse(USUAL_WIDTH);
        return options.output() == Output.WIDE ? Math.max(WIDE, screen) : screen;
    }

    private Ink ink() {
        var noColour = environment.getOrDefault("NO_COLOR", "");
        return out.equals(System.out) && Screen.isThere() && noColour.isEmpty()
                ? Ink.COLOURS
                : Ink.PLAIN;
    }
}
