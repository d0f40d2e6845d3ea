package io.berth.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// One measurement of the report: a command of this repository that prints tables.
///
/// @param name what it is called in options, in the document's marks and in the files kept
/// @param title above its tables, where nobody wrote another
/// @param command as one types it in the repository's folder
/// @param brief the same with small sizes, to try the report itself
public record Part(String name, String title, String command, String brief) {
    private static final String FIGURES = "berth-bench/figures ";
    private static final String LOAD = "berth-bench/load ";

    /// All of them, in the order of the document: the engine alone first, which is quick.
    public static List<Part> all() {
        return List.of(
                new Part("engine", "The engine alone", FIGURES + "5000", FIGURES + "500 equal"),
                new Part(
                        "engine-claims",
                        "Volumes and devices",
                        FIGURES + "5000 volumes,board",
                        FIGURES + "500 volumes,board"),
                new Part(
                        "engine-100000",
                        "Flat in the number of nodes",
                        FIGURES + "100000 equal,affinity,spread,mixed",
                        FIGURES + "1000 equal"),
                new Part(
                        "memory",
                        "Memory",
                        "BERTH_HEAP=2g " + FIGURES + "memory 100000 1000000",
                        FIGURES + "memory 1000 5000"),
                new Part("devices", "Devices", FIGURES + "devices", FIGURES + "devices 100"),
                new Part("events", "Events", FIGURES + "events", FIGURES + "events 500"),
                new Part("twin", "A twin", FIGURES + "twin", FIGURES + "twin 500 1000"),
                new Part(
                        "explain",
                        "An explanation",
                        FIGURES + "explain",
                        FIGURES + "explain 500 1000"),
                new Part(
                        "explain-cluster",
                        "An explanation from a cluster",
                        "berth-bench/explain",
                        "berth-bench/explain 50 100 1"),
                new Part("ratios", "Beside each other", FIGURES + "ratios", FIGURES + "ratios"),
                new Part(
                        "startup",
                        "Start and memory of a process",
                        "berth-bench/startup --rounds 3",
                        "berth-bench/startup --rounds 1 --nodes 50 --large-nodes 100 --settle 1"),
                new Part(
                        "load",
                        "Beside kube-scheduler",
                        LOAD
                                + "--nodes 5000 --pods 5000 --rounds 3"
                                + " --workloads basic,spread-hard,anti-affinity,affinity",
                        LOAD + "--nodes 50 --pods 50 --rounds 1 --workloads basic"),
                new Part(
                        "load-others",
                        "Other workloads",
                        LOAD
                                + "--nodes 5000 --pods 5000 --rounds 1 --workloads daemonset,churn,"
                                + "mixed,node-affinity,spread-soft,preferred-affinity,"
                                + "preferred-anti-affinity,backlog",
                        LOAD + "--nodes 50 --pods 50 --rounds 1 --workloads daemonset"),
                new Part(
                        "load-preemption",
                        "Preemption",
                        LOAD + "--nodes 1000 --pods 1000 --rounds 3 --workloads preemption",
                        LOAD + "--nodes 20 --pods 10 --rounds 1 --workloads preemption"),
                new Part(
                        "load-volumes",
                        "Volumes",
                        LOAD
                                + "--nodes 5000 --pods 5000 --rounds 1"
                                + " --workloads csi-volumes,migrated-volumes,waiting-volumes",
                        LOAD + "--nodes 20 --pods 20 --rounds 1 --workloads csi-volumes"),
                new Part(
                        "load-claims",
                        "Devices",
                        LOAD
                                + "--nodes 500 --pods 2500 --before 2500 --rounds 1"
                                + " --workloads claims,claims-half-full,claims-extended,"
                                + "claims-consumable",
                        LOAD + "--nodes 10 --pods 20 --before 20 --rounds 1 --workloads claims"),
                new Part(
                        "load-asked",
                        "Asked while at work",
                        LOAD + "--asked 10 --nodes 5000 --pods 2500 --workloads basic",
                        LOAD + "--asked 10 --nodes 20 --pods 20 --workloads basic"),
                new Part(
                        "steady",
                        "Up for a while",
                        LOAD
                                + "--steady --nodes 5000 --pods 2500"
                                + " --workloads basic,spread-hard,affinity",
                        LOAD + "--steady --nodes 50 --pods 2500 --workloads basic"),
                new Part(
                        "flood",
                        "A crowd at the port",
                        "berth-bench/flood --rounds 2",
                        "berth-bench/flood --connections 20 --seconds 2"));
    }

    /// The parts of these names, with commas between, in the order of the report.
    ///
    /// @throws IllegalArgumentException where there is none of a name
    static List<Part> named(String names) {
        var wanted = Arrays.asList(names.split(","));
        var known = all().stream().map(Part::name).collect(Collectors.toSet());
        for (var name : wanted) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "no part is called \"" + name + "\"; --list names them");
            }
        }
        return all().stream().filter(part -> wanted.contains(part.name())).toList();
    }
}
