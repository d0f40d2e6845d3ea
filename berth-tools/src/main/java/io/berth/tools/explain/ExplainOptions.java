package io.berth.tools.explain;

import static io.berth.app.flag.FlagType.BOOL;
import static io.berth.app.flag.FlagType.NUMBER;
import static io.berth.app.flag.FlagType.STRING;
import static io.berth.app.flag.FlagType.STRINGS;

import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.FlagType;
import io.berth.app.flag.ParsedFlags;
import io.berth.config.text.GoText;
import io.berth.lab.explain.PendingReport.By;
import io.berth.lab.explain.Question;
import io.berth.tools.cluster.ClusterAccess;
import io.berth.tools.cluster.Judgement;
import io.berth.tools.cluster.SchedulerAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What `berth explain` is asked for.
///
/// @param name of the pod or node; empty for `pending`
/// @param namespace empty where the context's is meant
/// @param from `auto`, `scheduler`, `cluster`, or a file or folder
record ExplainOptions(
        Subject subject,
        String name,
        String namespace,
        boolean allNamespaces,
        String from,
        SchedulerAddress scheduler,
        Optional<Path> config,
        Optional<Path> kubeconfig,
        String context,
        Question question,
        By by,
        Output output,
        int patch) {
    /// What is asked about.
    enum Subject {
        POD,
        PENDING,
        NODE
    }

    /// In which form.
    enum Output {
        TEXT,
        WIDE,
        JSON,
        YAML,
        PATCH
    }

    static final String CLUSTER = "cluster";
    static final String PIPE = "-";
    static final String AUTO = "auto";
    static final String SCHEDULER = "scheduler";
    private static final int MOST_TOP = 1000;

    private static final String GROUP = "explain";

    static final FlagSet FLAGS =
            new FlagSet(
                    List.of(
                            flag(
                                    "namespace",
                                    'n',
                                    STRING,
                                    "",
                                    "Namespace of the pod; that of the context where none is"
                                            + " given."),
                            flag(
                                    "all-namespaces",
                                    'A',
                                    BOOL,
                                    "",
                                    "With pending: pods of all namespaces."),
                            flag(
                                    "from",
                                    STRING,
                                    AUTO,
                                    "Where the facts come from: scheduler (see --scheduler),"
                                            + " cluster, or a file or folder of 'kubectl get ... -o"
                                            + " yaml|json', or - for a pipe. auto is the scheduler"
                                            + " if one is given and answers, else the cluster."),
                            SchedulerAddress.serverFlag(GROUP),
                            SchedulerAddress.authorityFlag(GROUP),
                            SchedulerAddress.insecureFlag(GROUP),
                            Judgement.configurationFlag(GROUP),
                            ClusterAccess.kubeconfigFlag(GROUP),
                            ClusterAccess.contextFlag(GROUP),
                            flag(
                                    "node",
                                    STRINGS,
                                    "[]",
                                    "Nodes to tell of in full: why not there, or how it rates."),
                            flag("top", NUMBER, "5", "How many of the best nodes to show."),
                            flag("all-nodes", BOOL, "", "Show every node."),
                            flag("no-fixes", BOOL, "", "Do not look for what would help."),
                            flag(
                                    "by",
                                    STRING,
                                    "reason",
                                    "With pending: group by reason, owner or plugin."),
                            flag(
                                    "output",
                                    'o',
                                    STRING,
                                    "text",
                                    "One of text, wide, json, yaml, or patch=N for fix N as a JSON"
                                            + " patch of the pod."),
                            new Flag(GROUP, "help", 'h', BOOL, "", "Help for explain.")));

    static ExplainOptions from(ParsedFlags flags, Map<String, String> environment)
            throws FlagException {
        var words = flags.arguments();
        if (words.isEmpty()) {
            throw new FlagException("say what to explain: pod NAME, pending, or node NAME");
        }
        var subject = subject(words.getFirst());
        boolean isNamed = subject != Subject.PENDING;
        if (words.size() != (isNamed ? 2 : 1)) {
            throw new FlagException(
                    isNamed
                            ? "'%s' takes one name".formatted(words.getFirst())
                            : "'pending' takes no name");
        }
        var name = isNamed ? words.get(1) : "";
        var namespace = flags.text("namespace").orElse("");
        int slash = name.indexOf('/');
        if (subject == Subject.POD && slash >= 0) {
            namespace = name.substring(0, slash);
            name = name.substring(slash + 1);
        }
        var format = flags.text("output").orElse("text");
        return new ExplainOptions(
                subject,
                name,
                namespace,
                flags.isTrue("all-namespaces"),
                flags.text("from").orElse(AUTO),
                SchedulerAddress.of(
                        flags, environment, flags.text("from").orElse(AUTO).equals(SCHEDULER)),
                flags.path("config"),
                flags.path("kubeconfig"),
                flags.text("context").orElse(""),
                new Question(
                        flags.strings("node").orElse(List.of()),
                        flags.isTrue("all-nodes"),
                        top(flags),
                        !flags.isTrue("no-fixes")),
                by(flags.text("by").orElse("reason")),
                output(format, subject),
                patch(format));
    }

    private static Subject subject(String word) throws FlagException {
        return switch (word) {
            case "pod", "pods", "po" -> Subject.POD;
            case "pending" -> Subject.PENDING;
            case "node", "nodes", "no" -> Subject.NODE;
            default ->
                    throw new FlagException(
                            "cannot explain "
                                    + GoText.quote(word)
                                    + "; it is one of pod, pending, node");
        };
    }

    private static By by(String word) throws FlagException {
        for (var by : By.values()) {
            if (by.name().equalsIgnoreCase(word)) {
                return by;
            }
        }
        throw new FlagException("--by is one of reason, owner, plugin, not " + GoText.quote(word));
    }

    private static Output output(String word, Subject subject) throws FlagException {
        var name = word.startsWith("patch=") ? "patch" : word;
        for (var output : Output.values()) {
            if (output.name().toLowerCase(Locale.ROOT).equals(name)
                    && (output != Output.PATCH
                            || word.startsWith("patch=") && subject == Subject.POD)) {
                return output;
            }
        }
        throw new FlagException(
                "-o is one of text, wide, json, yaml, and for a pod patch=N, not "
                        + GoText.quote(word));
    }

    private static int patch(String word) throws FlagException {
        return word.startsWith("patch=")
                ? number("-o patch", word.substring("patch=".length()), 1, 1000)
                : 0;
    }

    private static int top(ParsedFlags flags) throws FlagException {
        return number("--top", flags.text("top").orElse("5"), 0, MOST_TOP);
    }

    private static int number(String flag, String text, int from, int to) throws FlagException {
        try {
            int number = Integer.parseInt(text);
            if (from <= number && number <= to) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new FlagException(
                "%s must be a whole number from %d to %d, not %s"
                        .formatted(flag, from, to, GoText.quote(text)));
    }

    private static Flag flag(String name, FlagType type, String defaultValue, String help) {
        return flag(name, (char) 0, type, defaultValue, help);
    }

    private static Flag flag(
            String name, char shorthand, FlagType type, String defaultValue, String help) {
        return new Flag(GROUP, name, shorthand, type, defaultValue, help);
    }
}
