package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.NodeStudy;
import io.berth.lab.explain.PendingReport.By;
import io.berth.lab.explain.PendingStudy;
import io.berth.lab.explain.Question;
import io.berth.lab.text.ExplanationJson;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The pages below `/berth/v1/`: explanations of pods, of the queue, of nodes.
public final class ExplainPage implements Endpoint {
    /// What their paths begin with.
    public static final String PREFIX = "/berth/v1/";

    private static final Pattern POD =
            Pattern.compile("/berth/v1/namespaces/([^/]+)/pods/([^/]+)/explanation");
    private static final Pattern NODE = Pattern.compile("/berth/v1/nodes/([^/]+)/explanation");
    private static final String PENDING = "/berth/v1/pending";
    private static final int MOST_TOP = 1000;

    private final LiveExplanations explanations;

    public ExplainPage(LiveExplanations explanations) {
        this.explanations = explanations;
    }

    @Override
    public Reply answer(Call call) {
        if (!call.method().equals("GET")) {
            return Reply.error(405, "method not allowed: these pages are read with GET");
        }
        Matcher pod = POD.matcher(call.path());
        if (pod.matches()) {
            return pod(pod.group(1) + "/" + pod.group(2), call);
        }
        Matcher node = NODE.matcher(call.path());
        if (node.matches()) {
            return told(study ->
                    study.node(node.group(1))
                            .map(found ->
                                    ExplanationJson.of(new NodeStudy(study, found).report())));
        }
        return call.path().equals(PENDING) ? pending(call) : Reply.notFound();
    }

    private Reply pod(String key, Call call) {
        int top;
        try {
            var text = call.parameter("top");
            top = text.isEmpty() ? Question.USUAL.top() : Integer.parseInt(text);
        } catch (NumberFormatException noNumber) {
            return Reply.error(400, "top must be a whole number");
        }
        if (top < 0 || top > MOST_TOP) {
            return Reply.error(400, "top must be from 0 to " + MOST_TOP);
        }
        var question =
                new Question(
                        call.parameters("node"),
                        call.parameter("nodes").equals("all"),
                        top,
                        !call.parameter("fixes").equals("false"));
        return told(study ->
                study.pod(key).map(pod -> ExplanationJson.of(study.explain(pod, question))));
    }

    private Reply pending(Call call) {
        Optional<By> by = by(call.parameter("by"));
        if (by.isEmpty()) {
            return Reply.error(400, "by is one of reason, owner, plugin");
        }
        var namespace = call.parameter("namespace");
        return told(study ->
                Optional.of(
                        ExplanationJson.of(
                                new PendingStudy(study, by.get()).report(pods(study, namespace)))));
    }

    private static List<Pod> pods(ClusterStudy study, String namespace) {
        return study.pending().stream()
                .filter(pod -> namespace.isEmpty() || pod.namespace().equals(namespace))
                .toList();
    }

    private static Optional<By> by(String word) {
        if (word.isEmpty()) {
            return Optional.of(By.REASON);
        }
        for (var by : By.values()) {
            if (by.name().toLowerCase(Locale.ROOT).equals(word)) {
                return Optional.of(by);
            }
        }
        return Optional.empty();
    }

    private Reply told(Function<ClusterStudy, Optional<Value>> question) {
        try {
            return explanations
                    .ask(question)
                    .map(value ->
                            Reply.of(200, "application/json", JsonWriter.write(value) + "\n")
                                    .noSniffing())
                    .orElseGet(() -> Reply.error(404, "there is no such object"));
        } catch (LiveExplanations.BusyException busy) {
            return Reply.error(429, "too many questions at once; try again")
                    .with("Retry-After", "1");
        } catch (ExplainException failed) {
            return Reply.error(503, failed.sentence()).asExpected();
        }
    }
}
