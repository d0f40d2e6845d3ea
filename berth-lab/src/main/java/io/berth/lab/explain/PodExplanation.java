package io.berth.lab.explain;

import io.berth.api.explain.Choice;
import io.berth.api.explain.NodeExplanation;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Lack;
import java.util.List;
import java.util.Optional;

/// All that can be told about one pod: what it waits for or why it is where it is, and what would
/// help.
///
/// @param message what the event of a failed attempt would say; empty where a node can take the pod
/// @param nodes those that were asked for
/// @param choice of a pod that has a node or could have one
/// @param nearest the node that lacks least
/// @param fixes the best first
/// @param uncertain what could not be read, and what that makes uncertain
public record PodExplanation(
        Pod pod,
        Source source,
        Phase phase,
        Counts counts,
        String message,
        List<Group> groups,
        List<NodeRow> nodes,
        Optional<ChoiceReport> choice,
        Optional<Nearest> nearest,
        Optional<PreemptionReport> preemption,
        List<Fix> fixes,
        Effort effort,
        List<String> uncertain) {
    public PodExplanation {
        groups = List.copyOf(groups);
        nodes = List.copyOf(nodes);
        fixes = List.copyOf(fixes);
        uncertain = List.copyOf(uncertain);
    }

    /// Where a pod stands.
    ///
    /// @param sentence ours; may be worded anew
    /// @param wakeups what would have it tried again, in words
    public record Phase(
            Category category, String sentence, QueueFacts queue, List<String> wakeups) {
        public Phase {
            wakeups = List.copyOf(wakeups);
        }

        Phase(Category category, String sentence, QueueFacts queue) {
            this(category, sentence, queue, List.of());
        }
    }

    /// How many nodes there are, how many of them were judged one by one, and how many can take the
    /// pod.
    public record Counts(int nodes, int judged, int feasible) {}

    /// What one node is to the pod.
    ///
    /// @param zone empty where it is in none
    /// @param details for each filter that refuses it: why, in a few words
    public record NodeRow(
            NodeExplanation node, String zone, List<Group.Detail> details, String verdict) {
        public NodeRow {
            details = List.copyOf(details);
        }
    }

    /// Why just this node.
    ///
    /// @param actual where the pod is, if it has a node; else where it would go
    /// @param now where it would go if it were tried now
    public record ChoiceReport(String actual, Choice now, List<Influence> influence) {
        public ChoiceReport {
            influence = List.copyOf(influence);
        }
    }

    /// What would be without one plugin's score.
    ///
    /// @param topOverlap how many of the best nodes would be among the best all the same, in
    ///   percent
    public record Influence(
            String plugin, String winnerWithout, boolean winnerChanged, int topOverlap) {}

    /// The node that lacks least.
    ///
    /// @param pods those on it that hold most of what is lacking
    public record Nearest(String node, String text, List<Lack> lacks, List<String> pods) {
        public Nearest {
            lacks = List.copyOf(lacks);
            pods = List.copyOf(pods);
        }
    }

    /// What preemption would come to, with the priority that the pod has.
    public record PreemptionReport(boolean eligible, String sentence, List<Option> options) {
        public PreemptionReport {
            options = List.copyOf(options);
        }

        /// A node that would fit without some pods.
        public record Option(String node, List<Fix.Victim> victims, int violations, int placeable) {
            public Option {
                victims = List.copyOf(victims);
            }
        }
    }

    /// How many changes were tried.
    ///
    /// @param isCut whether there were more to try than the budget allowed
    public record Effort(int tried, long millis, boolean isCut) {
        static final Effort NONE = new Effort(0, 0, false);
    }
}
