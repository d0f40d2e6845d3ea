package io.berth.up;

import static io.berth.app.flag.FlagType.BOOL;
import static io.berth.app.flag.FlagType.LEVEL;
import static io.berth.app.flag.FlagType.NUMBER;
import static io.berth.app.flag.FlagType.STRING;

import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagSet;
import io.berth.app.flag.FlagType;
import io.berth.app.flag.GoSyntax;
import io.berth.app.flag.ParsedFlags;
import io.berth.config.text.GoText;
import io.berth.up.scenario.Scenario;
import java.util.List;

/// What `berth up` is asked for.
///
/// @param pods the number of demo pods; -1 for the small set that shows most
/// @param port where the API server listens; 0 for any free port
/// @param devices whether some of the nodes have devices
/// @param scheduler whether a scheduler runs in the same process
/// @param controllers whether controllers run in the same process
/// @param from the dump of a cluster to begin with; empty for none
/// @param scenario the name or file of what is to happen; empty for nothing
/// @param untilDone whether to end with the scenario
public record UpOptions(
        int nodes,
        int pods,
        int port,
        int zones,
        boolean devices,
        boolean demo,
        boolean scheduler,
        boolean controllers,
        String from,
        String scenario,
        boolean untilDone,
        int verbosity) {
    public static final int DEFAULT_PORT = 18443;
    public static final int PODS_BY_TEMPLATE = -1;

    private static final String GROUP = "up";
    private static final List<String> GIVEN = List.of("nodes", "pods", "zones", "devices");
    private static final int MAX_NODES = 20_000;
    private static final int MAX_PODS = 200_000;

    public static final FlagSet FLAGS =
            new FlagSet(
                    List.of(
                            flag("nodes", NUMBER, "8", "Simulated nodes to create."),
                            flag(
                                    "pods",
                                    NUMBER,
                                    Integer.toString(DemoWorkload.DEFAULT_PODS),
                                    "Pods of the demo workload to create."),
                            flag(
                                    "port",
                                    NUMBER,
                                    Integer.toString(DEFAULT_PORT),
                                    "Port of the API server on 127.0.0.1; 0 takes any free one."),
                            flag("zones", NUMBER, "3", "Zones to spread the nodes over."),
                            flag(
                                    "devices",
                                    BOOL,
                                    "",
                                    "Give nodes GPUs of a driver that is made up: whole ones, some"
                                            + " to split and some to share, and the classes to ask"
                                            + " for them by."),
                            flag(
                                    "no-demo",
                                    BOOL,
                                    "",
                                    "Create no pods: start with an empty cluster."),
                            flag(
                                    "no-scheduler",
                                    BOOL,
                                    "",
                                    "Start no scheduler: bring one of your own, with the kubeconfig"
                                            + " that is printed."),
                            flag(
                                    "no-controllers",
                                    BOOL,
                                    "",
                                    "Start no controllers: nothing makes pods for deployments."),
                            flag(
                                    "from",
                                    STRING,
                                    "",
                                    "Begin with the objects of this file, as 'kubectl get"
                                            + " nodes,pods -A -o yaml' prints them, instead of"
                                            + " simulated nodes and a demo."),
                            flag(
                                    "scenario",
                                    STRING,
                                    "",
                                    "Let this happen: a file, or one of "
                                            + String.join(", ", Scenario.BUILT_IN)
                                            + "."),
                            flag(
                                    "until-done",
                                    BOOL,
                                    "",
                                    "End with the scenario: with code 0 if everything came as it"
                                            + " expects, with 3 if not."),
                            flag("open", BOOL, "", "Open the page in a browser."),
                            new Flag(GROUP, "v", 'v', LEVEL, "", "Verbosity of the log."),
                            new Flag(GROUP, "help", 'h', BOOL, "", "Help for up.")));

    public static UpOptions from(ParsedFlags flags) throws FlagException {
        if (flags.isTrue("no-demo") && flags.has("pods")) {
            throw new FlagException("--pods and --no-demo contradict each other; leave one out");
        }
        boolean given = flags.has("from") || flags.has("scenario");
        if (given && GIVEN.stream().anyMatch(flags::has)) {
            throw new FlagException(
                    "--from and --scenario say which nodes and pods there are; leave out --nodes,"
                            + " --pods, --zones and --devices");
        }
        if (flags.isTrue("until-done") && !flags.has("scenario")) {
            throw new FlagException("--until-done needs a --scenario that can be done");
        }
        return new UpOptions(
                number(flags, "nodes", given ? 0 : 8, 0, MAX_NODES),
                number(flags, "pods", PODS_BY_TEMPLATE, 0, MAX_PODS),
                number(flags, "port", DEFAULT_PORT, 0, 65_535),
                number(flags, "zones", 3, 1, 100),
                flags.isTrue("devices"),
                !flags.isTrue("no-demo") && !given,
                !flags.isTrue("no-scheduler"),
                !flags.isTrue("no-controllers"),
                flags.value("from").orElse(""),
                flags.value("scenario").orElse(""),
                flags.isTrue("until-done"),
                GoSyntax.parseLevel(flags.value("v").orElse("0")));
    }

    /// A cluster with its demo, and nothing else that happens.
    public static UpOptions simple(int nodes, int pods, int port, int zones, boolean demo) {
        return new UpOptions(nodes, pods, port, zones, false, demo, true, true, "", "", false, 0);
    }

    /// A cluster without simulated nodes, for what a dump or a scenario brings.
    static UpOptions given(String from, String scenario) {
        return new UpOptions(
                0, 0, 0, 1, false, false, true, true, from, scenario, !scenario.isEmpty(), 0);
    }

    /// The same with devices.
    UpOptions withDevices() {
        return new UpOptions(
                nodes,
                pods,
                port,
                zones,
                true,
                demo,
                scheduler,
                controllers,
                from,
                scenario,
                untilDone,
                verbosity);
    }

    int podCount() {
        return pods == PODS_BY_TEMPLATE ? DemoWorkload.DEFAULT_PODS : pods;
    }

    private static int number(ParsedFlags flags, String name, int otherwise, int from, int to)
            throws FlagException {
        String text = flags.value(name).orElse("");
        if (!flags.has(name)) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (from <= number && number <= to) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new FlagException(
                "--%s must be a whole number from %d to %d, not %s"
                        .formatted(name, from, to, GoText.quote(text)));
    }

    private static Flag flag(String name, FlagType type, String defaultValue, String help) {
        return new Flag(GROUP, name, (char) 0, type, defaultValue, help);
    }
}
