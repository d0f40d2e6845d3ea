package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.plugin.Refusals;
import io.berth.api.verdict.Refusal;
import io.berth.engine.framework.Rejection;
import io.berth.engine.port.StatusCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Why a pod fitted nowhere: what each node was refused for, and which plugins to wait for (rules
/// E-22, E-23, E-109).
public final class Diagnosis implements Refusals {
    private static final Refusal UNSAID = new Refusal(List.of(), Refusal.Remedy.NOTHING_HELPS);

    private final int nodeCount;
    // Most attempts succeed and need none of this, so it is made when the first refusal comes.
    private List<NodeView> nodes = List.of();
    private List<Refusal> refusals = List.of();
    private @Nullable Map<String, Integer> indexByNode;
    private Set<String> rejectors = Set.of();
    private @Nullable Rejection lastRejection;
    private Set<String> pending = Set.of();
    private Refusal others = UNSAID;
    private @Nullable List<NodeView> nodesOfOthers;
    private String preFilterMessage = "";
    private String postFilterMessage = "";

    /// @param nodeCount how many nodes there are in all
    public Diagnosis(int nodeCount) {
        this.nodeCount = nodeCount;
    }

    /// A diagnosis over one node: what a refused reservation or permit looks like.
    public static Diagnosis ofOneNode(Rejection rejection) {
        var diagnosis = new Diagnosis(1);
        diagnosis.others = rejection.refusal();
        diagnosis.addRejector(rejection);
        // Also where nobody in particular said no: such a pod waits for a flush, not for a
        // back-off.
        diagnosis.addRejector(rejection.plugin());
        return diagnosis;
    }

    /// Notes why one node was refused.
    void add(NodeView node, Rejection rejection) {
        if (nodes.isEmpty()) {
            nodes = new ArrayList<>(nodeCount);
            refusals = new ArrayList<>(nodeCount);
        }
        nodes.add(node);
        refusals.add(rejection.refusal());
        if (indexByNode != null) {
            indexByNode.put(node.name(), nodes.size() - 1);
        }
        addRejector(rejection);
    }

    /// Notes why one node was refused that may have been noted before; it counts once.
    void addAgain(NodeView node, Rejection rejection) {
        var known = indexByNode().get(node.name());
        if (known == null) {
            add(node, rejection);
        } else {
            refusals.set(known, rejection.refusal());
            addRejector(rejection);
        }
    }

    private Map<String, Integer> indexByNode() {
        var index = indexByNode;
        if (index == null) {
            index = HashMap.newHashMap(nodes.size());
            for (int i = 0; i < nodes.size(); i++) {
                index.put(nodes.get(i).name(), i);
            }
            indexByNode = index;
        }
        return index;
    }

    /// Notes what holds for all nodes that are not noted one by one.
    ///
    /// @param nodes those nodes, in list order, for preemption
    void addOthers(Refusal refusal, List<NodeView> nodes) {
        others = refusal;
        nodesOfOthers = nodes;
    }

    void preFilterMessage(String message) {
        preFilterMessage = message;
    }

    /// What PreFilter's refusal is called.
    StatusCode preFilterCode() {
        return StatusCode.of(others);
    }

    public String postFilterMessage() {
        return postFilterMessage;
    }

    public void postFilterMessage(String message) {
        postFilterMessage = message;
    }

    /// Thousands of nodes in a row are refused alike.
    @SuppressWarnings("ReferenceEquality") // the same rejection again, not an equal one
    void addRejector(Rejection rejection) {
        if (rejection.plugin().isEmpty() || rejection == lastRejection) {
            return;
        }
        lastRejection = rejection;
        addRejector(rejection.plugin());
        if (rejection.refusal().remedy() == Refusal.Remedy.PENDING) {
            if (pending.isEmpty()) {
                pending = new LinkedHashSet<>();
            }
            pending.add(rejection.plugin());
        }
    }

    void addRejector(String plugin) {
        if (rejectors.isEmpty()) {
            rejectors = new LinkedHashSet<>();
        }
        rejectors.add(plugin);
    }

    /// Plugins whose events may help the pod.
    public Set<String> rejectors() {
        return rejectors;
    }

    public Set<String> pendingPlugins() {
        return pending;
    }

    public int nodeCount() {
        return nodeCount;
    }

    /// How many nodes were refused one by one.
    public int explicitCount() {
        return nodes.size();
    }

    @Override
    public @Nullable Refusal of(String nodeName) {
        var index = indexByNode().get(nodeName);
        return index == null ? null : refusals.get(index);
    }

    @Override
    public Refusal ofOthers() {
        return others;
    }

    @Override
    public List<NodeView> resolvableNodes() {
        var result = new ArrayList<NodeView>(nodes.size());
        if (nodesOfOthers != null && others.remedy() == Refusal.Remedy.PREEMPTION_MAY_HELP) {
            for (var node : nodesOfOthers) {
                if (!indexByNode().containsKey(node.name())) {
                    result.add(node);
                }
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            if (refusals.get(i).remedy() == Refusal.Remedy.PREEMPTION_MAY_HELP) {
                result.add(nodes.get(i));
            }
        }
        return result;
    }

    /// The text that users read in the event and the condition.
    public String message() {
        var text = new StringBuilder("0/").append(nodeCount).append(" nodes are available:");
        if (!preFilterMessage.isEmpty()) {
            text.append(' ').append(preFilterMessage).append('.');
        } else {
            var lines = reasonCounts();
            if (!lines.isEmpty()) {
                text.append(' ').append(String.join(", ", lines)).append('.');
            }
        }
        if (!postFilterMessage.isEmpty()) {
            text.append(' ').append(postFilterMessage);
        }
        return text.toString();
    }

    /// `<count> <reason>`, sorted as text: "10 x" stands before "2 y", as upstream has it.
    private List<String> reasonCounts() {
        var byRefusal = counts();
        byRefusal.computeIfAbsent(others, _ -> new int[1])[0] += nodeCount - refusals.size();
        var byReason = new HashMap<String, Integer>();
        byRefusal.forEach((refusal, count) -> {
            for (var reason : refusal.reasons()) {
                byReason.merge(reason, count[0], Integer::sum);
            }
        });
        var lines = new ArrayList<String>();
        byReason.forEach((reason, count) -> {
            if (count > 0) {
                lines.add(count + " " + reason);
            }
        });
        lines.sort(null);
        return lines;
    }

    /// Most nodes share a few refusal objects, often those beside each other, so they are counted
    /// first and taken apart after.
    @SuppressWarnings("ReferenceEquality") // equal ones are counted apart, which does no harm
    private Map<Refusal, int[]> counts() {
        var counts = new IdentityHashMap<Refusal, int[]>();
        @Nullable Refusal last = null;
        int[] count = new int[1];
        for (var refusal : refusals) {
            if (refusal != last) {
                count = counts.computeIfAbsent(refusal, _ -> new int[1]);
                last = refusal;
            }
            count[0]++;
        }
        return counts;
    }
}
