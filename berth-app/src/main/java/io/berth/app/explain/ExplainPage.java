package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.NodeStudy;
import io.berth.lab.explain.PendingReport.By;
import io.berth.lab.explain.PendingStudy;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.explain.Question;
import io.berth.lab.text.ExplanationJson;
import io.berth.lab.text.Ink;
import io.berth.lab.text.PodText;
import io.berth.lab.text.ReportText;
import io.berth.serving.auth.Authority;
import io.berth.serving.auth.ResourceRight;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import io.berth.serving.http.User;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
    private final Authority authority;

    /// @param authority says what callers may read
    public ExplainPage(LiveExplanations explanations, Authority authority) {
        this.explanations = explanations;
        this.authority = authority;
    }

    /// The right to objects that opens a page to somebody without the right to its path: to `get
    /// pods/explanation` in a namespace, which the API server knows nothing of but lets roles give.
    public static Optional<ResourceRight> rightInstead(Call call) {
        if (!call.method().equals("GET")) {
            return Optional.empty();
        }
        Matcher pod = POD.matcher(call.path());
        var namespace =
                pod.matches()
                        ? pod.group(1)
                        : call.path().equals(PENDING) ? call.parameter("namespace") : "";
        return namespace.isEmpty()
                ? Optional.empty()
                : Optional.of(ResourceRight.core("get", "pods", namespace).of("explanation"));
    }

    @Override
    public Reply answer(Call call) {
        if (!call.method().equals("GET")) {
            return Reply.error(405, "method not allowed: these pages are read with GET");
        }
        Matcher pod = POD.matcher(call.path());
        if (pod.matches()) {
            return pod(pod.group(1), pod.group(2), call);
        }
        Matcher node = NODE.matcher(call.path());
        if (node.matches()) {
            var form = Form.of(call);
            return told(study ->
                    study.node(node.group(1))
                            .map(found -> {
                                var report = new NodeStudy(study, found).report();
                                return () ->
                                        form.with(
                                                form.lines((width, ink) ->
                                                        ReportText.of(report, width, ink)),
                                                ExplanationJson.of(report));
                            }));
        }
        return call.path().equals(PENDING) ? pending(call) : Reply.notFound();
    }

    private Reply pod(String namespace, String name, Call call) {
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
        var sight = sight(call, namespace);
        if (sight.hidesNodes && (question.allNodes() || !question.nodes().isEmpty())) {
            return Reply.error(403, "you may not ask for nodes: that takes the right to list them");
        }
        var form = Form.of(call);
        var key = namespace + "/" + name;
        // What is hidden is found among all pods.
        var wanted = sight.hidesNothing() ? Wanted.pod(key) : Wanted.allAnd(key);
        return told(
                wanted,
                study ->
                        study.pod(key)
                                .map(pod -> {
                                    var told = study.explain(pod, question);
                                    var json = ExplanationJson.of(told);
                                    var mentions =
                                            sight.mentions(study, json, () -> form.lines(told));
                                    return () -> {
                                        var redaction = sight.redaction(mentions).knowing(pod);
                                        return form.with(
                                                redaction.of(form.lines(redaction.of(told))),
                                                redaction.of(json));
                                    };
                                }));
    }

    /// Whether the same is wanted as lines of text besides, for whoever shows it to people.
    ///
    /// @param width 0: no lines
    private record Form(int width, Ink ink) {
        private static final int MOST_WIDTH = 1000;

        static Form of(Call call) {
            var text = call.parameter("lines");
            int width = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
            return new Form(
                    Math.min(width, MOST_WIDTH),
                    call.parameter("colours").equals("true") ? Ink.COLOURS : Ink.PLAIN);
        }

        List<String> lines(BiFunction<Integer, Ink, List<String>> text) {
            return width == 0 ? List.of() : text.apply(width, ink);
        }

        List<String> lines(PodExplanation told) {
            return lines((width, ink) -> PodText.of(told, width, ink, Instant.now()));
        }

        Value with(List<String> lines, Value told) {
            if (width == 0 || !(told instanceof Value.Fields fields)) {
                return told;
            }
            var all = new FieldsBuilder();
            fields.entries().forEach(all::put);
            return all.put("lines", Value.of(lines.stream().map(Value::of).toList())).build();
        }
    }

    /// What a caller may see.
    ///
    /// @param isOpen whether a namespace is one whose pods they may see, as far as that is known
    /// @param mayList the same of others; asks the API server
    private record Sight(boolean hidesNodes, Predicate<String> isOpen, Predicate<String> mayList) {
        private static final Sight ALL = new Sight(false, _ -> true, _ -> true);

        boolean hidesNothing() {
            return equals(ALL);
        }

        /// By the one who knows the cluster, whom others wait for: nobody is asked anything here.
        Mentions mentions(ClusterStudy study, Value answer, Supplier<List<String>> lines) {
            return hidesNothing()
                    ? Mentions.NONE
                    : Mentions.of(study.cluster(), answer, lines.get());
        }

        /// By the one who asks, who alone waits for what the API server says.
        Redaction redaction(Mentions mentions) {
            var others = mentions.namespaces().stream().filter(isOpen.negate()).toList();
            var rights = new NamespaceRights(mayList).of(others);
            return new Redaction(
                    mentions,
                    hidesNodes,
                    isOpen.or(rights.open()::contains).negate(),
                    rights.undecided());
        }
    }

    /// Who has the right to the path sees everything; who has it for a namespace sees that, and
    /// what they may read besides.
    private Sight sight(Call call, String namespace) {
        var user = call.user().orElse(User.ANONYMOUS);
        if (authority.mayGet(user, call.path())) {
            return Sight.ALL;
        }
        boolean hidesNodes = !authority.may(user, ResourceRight.core("list", "nodes", ""));
        boolean seesPods = authority.may(user, ResourceRight.core("list", "pods", ""));
        return new Sight(
                hidesNodes,
                other -> seesPods || other.equals(namespace),
                other -> authority.may(user, ResourceRight.core("list", "pods", other)));
    }

    private Reply pending(Call call) {
        Optional<By> by = by(call.parameter("by"));
        if (by.isEmpty()) {
            return Reply.error(400, "by is one of reason, owner, plugin");
        }
        var namespace = call.parameter("namespace");
        var sight = namespace.isEmpty() ? Sight.ALL : sight(call, namespace);
        var form = Form.of(call);
        return told(study -> {
            var report = new PendingStudy(study, by.get()).report(pods(study, namespace));
            var json = ExplanationJson.of(report);
            var lines =
                    form.lines((width, ink) ->
                            ReportText.of(report, by.get(), width, ink, Instant.now()));
            var mentions = sight.mentions(study, json, () -> lines);
            return Optional.of(() -> {
                var redaction = sight.redaction(mentions);
                return form.with(redaction.of(lines), redaction.of(json));
            });
        });
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

    private Reply told(Function<ClusterStudy, Optional<Supplier<Value>>> question) {
        return told(Wanted.ALL, question);
    }

    /// @param question what nobody but the twin can tell, and how an answer is made of that
    private Reply told(Wanted wanted, Function<ClusterStudy, Optional<Supplier<Value>>> question) {
        try {
            return explanations
                    .ask(wanted, question)
                    .map(answer ->
                            Reply.of(200, "application/json", JsonWriter.line(answer.get()))
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
