package io.berth.tools.explain;

import io.berth.app.ExitCode;
import io.berth.config.text.Documents;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.TextException;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.YamlWriter;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.connection.ConfigException;
import io.berth.lab.explain.ExplainException;
import io.berth.tools.cluster.ClusterAccess;
import io.berth.tools.explain.ExplainOptions.Output;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Has a scheduler at work answer: it knows its queue, and what it was told to judge by.
final class SchedulerReading {
    private final ExplainOptions options;
    private final Map<String, String> environment;
    private final PrintStream out;

    /// The scheduler gives no answer that could be used; another source may.
    static final class NoAnswerException extends Exception {
        private static final long serialVersionUID = 1L;

        NoAnswerException(String sentence, @Nullable Throwable cause) {
            super(sentence, cause);
        }

        String sentence() {
            return String.valueOf(getMessage());
        }
    }

    SchedulerReading(ExplainOptions options, Map<String, String> environment, PrintStream out) {
        this.options = options;
        this.environment = environment;
        this.out = out;
    }

    /// @param width of the lines
    /// @throws NoAnswerException where it cannot be reached, or does not answer to us
    /// @throws ExplainException where what is asked for is not there
    int run(int width, boolean hasColours) throws NoAnswerException {
        var access = ClusterAccess.find(options.kubeconfig(), options.context(), environment);
        try (var client =
                new ApiClient(
                        options.scheduler().connection(access.connection()),
                        access.options("explain"))) {
            return tell(ask(client, access.namespace(), width, hasColours));
        } catch (ConfigException unusable) {
            throw new ExplainException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private Fields ask(ApiClient client, String usualNamespace, int width, boolean hasColours)
            throws NoAnswerException {
        var namespace = options.namespace().isEmpty() ? usualNamespace : options.namespace();
        var request =
                ApiRequest.get(
                        switch (options.subject()) {
                            case POD ->
                                    "/berth/v1/namespaces/%s/pods/%s/explanation"
                                            .formatted(part(namespace), part(options.name()));
                            case NODE ->
                                    "/berth/v1/nodes/%s/explanation"
                                            .formatted(part(options.name()));
                            case PENDING -> "/berth/v1/pending";
                        });
        if (options.subject() == ExplainOptions.Subject.PENDING) {
            request = request.with("by", options.by().name().toLowerCase(Locale.ROOT));
            request = options.allNamespaces() ? request : request.with("namespace", namespace);
        }
        if (options.subject() == ExplainOptions.Subject.POD) {
            for (var node : options.question().nodes()) {
                request = request.with("node", node);
            }
            request = options.question().allNodes() ? request.with("nodes", "all") : request;
            request = request.with("top", Integer.toString(options.question().top()));
            request = options.question().fixes() ? request : request.with("fixes", "false");
        }
        if (options.output() == Output.TEXT || options.output() == Output.WIDE) {
            request = request.with("lines", Integer.toString(width));
            request = hasColours ? request.with("colours", "true") : request;
        }
        return read(client, request);
    }

    private static String part(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private Fields read(ApiClient client, ApiRequest request) throws NoAnswerException {
        try {
            if (Documents.read(client.send(request).body()).value() instanceof Fields fields
                    && !fields.text("kind", "").isEmpty()) {
                return fields;
            }
            throw new NoAnswerException(
                    "what answers at %s is no Berth".formatted(client.server()), null);
        } catch (TextException malformed) {
            throw new NoAnswerException(
                    "what answers at %s is no Berth".formatted(client.server()), malformed);
        } catch (ApiException refused) {
            throw failed(refused, client);
        }
    }

    private NoAnswerException failed(ApiException refused, ApiClient client) {
        if (refused.failure() != ApiException.Failure.ANSWERED) {
            return new NoAnswerException(
                    "the scheduler at %s cannot be reached: %s"
                            .formatted(client.server(), refused.getMessage()),
                    refused);
        }
        return switch (refused.code()) {
            case 404 ->
                    throw new ExplainException(
                            "the scheduler at %s knows no %s \"%s\""
                                    .formatted(
                                            client.server(),
                                            options.subject().name().toLowerCase(Locale.ROOT),
                                            options.name()),
                            refused);
            case 401 ->
                    new NoAnswerException(
                            "the scheduler at %s does not know you".formatted(client.server()),
                            refused);
            case 403 ->
                    new NoAnswerException(
                            "the scheduler at %s does not answer to you (%s); a role may give get on pods/explanation"
                                    .formatted(client.server(), refused.getMessage()),
                            refused);
            default ->
                    new NoAnswerException(
                            "the scheduler at %s answered %d: %s"
                                    .formatted(
                                            client.server(), refused.code(), refused.getMessage()),
                            refused);
        };
    }

    private int tell(Fields told) {
        switch (options.output()) {
            case JSON -> out.println(JsonWriter.write(told));
            case YAML -> out.print(YamlWriter.write(told));
            case PATCH -> out.println(JsonWriter.write(patch(told)));
            case TEXT, WIDE -> {
                told.texts("lines").forEach(out::println);
                for (var note : told.texts("redacted")) {
                    out.println("not shown: " + note);
                }
            }
        }
        boolean isStuck =
                options.subject() == ExplainOptions.Subject.POD
                        && options.question().fixes()
                        && told.find("choice") == null
                        && told.fields("pod").text("nodeName", "").isEmpty()
                        && told.items("fixes").isEmpty();
        return isStuck ? ExplainCommand.NO_FIX : ExitCode.OK;
    }

    private Value patch(Fields told) {
        var fixes = told.objects("fixes");
        Optional<Fields> fix =
                fixes.stream().filter(one -> one.number("id", 0) == options.patch()).findFirst();
        if (fix.isEmpty()) {
            throw new ExplainException(
                    "there is no fix %d; there are %d".formatted(options.patch(), fixes.size()));
        }
        var patch = fix.get().find("patch");
        if (patch == null) {
            throw new ExplainException(
                    "fix %d (%s) is no patch of the pod"
                            .formatted(options.patch(), fix.get().text("sentence", "")));
        }
        return patch;
    }
}
