package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.column.SlotTrait;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.state.Changes;
import io.berth.engine.state.ClusterState;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the node-local plugins of a profile say about every node for one pod spec, kept from
/// attempt to attempt.
///
/// **Goal**: pods of one template are judged again and again against nodes that hardly change.
/// After a placement exactly one slot has changed, so exactly one slot is judged again.
///
/// **Layout**, by slot: `refusedBy` is 0 where all node-local filters pass, else 1 + the position
/// (in the profile's filter list) of the first that does not. `base` adds up the weighted scores of
/// plugins that need no normalising; it has a meaning where `refusedBy` is 0. `raw` holds, per
/// normalised plugin, its score before normalising. `words` is what the filter in `refusedBy` says,
/// where somebody has asked: pods that fit nowhere are tried again and again, and thousands of
/// nodes refuse them as they did the last time.
///
/// **Freshness**: `version` is the state's dirty log position up to which this is right. [#refresh]
/// reads the log from there and judges the slots named in it. When the log has moved on too far,
/// when columns were replaced, when a plugin says that all is out of date, or when the node count
/// changed and a plugin cares, all slots are judged. Never stale, never approximate: while slots
/// are being judged nothing counts as judged, so that whatever a plugin throws half-way leaves a
/// shape that starts over.
///
/// Owned by the engine thread.
final class ShapeResults {
    private static final int QUIET_TIMES = 2;
    private static final int TIMES_WITHOUT = 64;
    private static final int MOST_TRAITS = 6;
    private static final Rejection[] NOBODY_ASKED = {};

    private final PodSpec spec;
    private final LocalPlugins plugins;
    private @Nullable SlotJudge[] judges = new SlotJudge[0];
    private SlotJudge[] busyJudges = new SlotJudge[0];
    private short[] busyPositions = new short[0];
    private SlotScore[] plainScores = new SlotScore[0];
    private SlotScore[] rawScores = new SlotScore[0];
    private int[] nonZero = new int[0];

    private short[] refusedBy = new short[0];
    private @Nullable Rejection[] words = NOBODY_ASKED;
    private long[] base = new long[0];
    private long[][] raw = new long[0][];
    private long version = -1;
    private int epoch = -1;
    private int nodeCount = -1;
    private long allTold;
    private boolean isJudged;

    /// Which nodes are best; null where nobody asked, or too much has changed.
    private @Nullable BestNodes bestNodes;

    /// What other plugins go by when they tell nodes apart: what [#bestNodes] are grouped by.
    private List<SlotTrait> traits = List.of();

    private int orderVersion = -1;

    /// How often in a row [#refresh] left the order of the nodes and most slots as they were.
    private int quietTimes;

    /// The slots judged by the last [#refresh]: those in `lastChanged`, or all where it is null.
    private int @Nullable [] lastChanged;

    private int lastChangedCount;

    ShapeResults(PodSpec spec, LocalPlugins plugins) {
        this.spec = spec;
        this.plugins = plugins;
    }

    short[] refusedBy() {
        return refusedBy;
    }

    /// Why the first node-local filter that refuses a node does so.
    ///
    /// @param judges of a pod of this spec
    @Nullable Rejection rejection(NodeView node, Judges judges) {
        int slot = node.slot();
        if (words.length == 0) {
            words = new Rejection[refusedBy.length];
        }
        var known = words[slot];
        if (known == null) {
            known = judges.ask(refusedBy[slot] - 1, node);
            words[slot] = known;
        }
        return known;
    }

    long[] base() {
        return base;
    }

    /// Raw scores of the i-th normalised plugin.
    long[] raw(int i) {
        return raw[i];
    }

    /// Asks the i-th plugin without normalising again for its scores, which are kept only as part
    /// of a sum: for the log.
    void plain(int i, int[] slots, int count, long[] into) {
        for (int n = 0; n < count; n++) {
            into[n] = score(plugins.plain().get(i), plainScores[i], slots[n]);
        }
    }

    /// Whether the i-th normalised plugin has nothing to say about pods of this spec.
    boolean isSilent(int i) {
        return rawScores[i].equals(SlotScore.NONE);
    }

    /// Whether the i-th normalised plugin certainly gives every node a raw score of 0.
    boolean isAllZero(int i) {
        return nonZero[i] == 0;
    }

    /// The prepared judgement of the filter at a position, null where that filter is not
    /// node-local.
    @Nullable SlotJudge judgeAt(int position) {
        return judges[position];
    }

    /// @param changed a buffer; when more slots have changed than it holds, all are judged
    void refresh(ClusterState state, int[] changed) {
        var columns = state.columns();
        int count = isStale(state) ? -1 : state.changes().since(version, Changes.ANY, changed);
        lastChanged = count < 0 ? null : changed;
        lastChangedCount = count;
        isJudged = false;
        var kept = bestNodes;
        bestNodes = null;
        boolean isQuiet = count >= 0 && orderVersion == state.orderVersion();
        if (count < 0) {
            judgeAll(state, state.order(), state.orderCount());
        } else {
            for (int i = 0; i < count; i++) {
                if (state.holdsNode(changed[i])) {
                    judge(changed[i]);
                    if (isQuiet && kept != null && !kept.update(state.orderOf(changed[i]))) {
                        kept = null;
                    }
                }
            }
        }
        bestNodes = isQuiet ? kept : null;
        quietTimes = isQuiet ? Math.min(quietTimes + 1, QUIET_TIMES) : 0;
        orderVersion = state.orderVersion();
        version = state.changes().version();
        epoch = state.keptEpoch();
        nodeCount = columns.nodeCount();
        allTold = state.changes().allToldVersion();
        isJudged = true;
    }

    /// The nodes by how good they are, in groups that agree in some traits at least, where keeping
    /// them so pays: for a shape that is asked for again and again while little changes.
    @Nullable BestNodes bestNodes(ClusterState state, List<SlotTrait> wanted) {
        if (quietTimes < QUIET_TIMES || !groupBy(wanted)) {
            return null;
        }
        if (bestNodes == null) {
            bestNodes = BestNodes.of(state.order(), state.orderCount(), refusedBy, base, traits);
            if (bestNodes == null) {
                bestNodesDidNotHelp();
            }
        }
        return bestNodes;
    }

    /// Has the next [#bestNodes] grouped by these traits besides those that were wanted before:
    /// pods of one spec may differ in what they go by.
    ///
    /// @return false where that would be too many; then it begins anew, after a while
    boolean groupBy(List<SlotTrait> wanted) {
        if (traits.containsAll(wanted)) {
            return true;
        }
        var all = new LinkedHashSet<>(traits);
        all.addAll(wanted);
        bestNodes = null;
        if (all.size() > MOST_TRAITS) {
            bestNodesDidNotHelp();
            return false;
        }
        traits = List.copyOf(all);
        return true;
    }

    /// Says that [#bestNodes] did not spare a look at all nodes; then there are none for a while.
    void bestNodesDidNotHelp() {
        bestNodes = null;
        traits = List.of();
        quietTimes = -TIMES_WITHOUT;
    }

    /// Judges some slots, and makes sure of no others.
    void judgeAll(ClusterState state, int[] slots, int count) {
        prepare(state);
        reserve(state.columns().limit());
        for (int i = 0; i < count; i++) {
            judge(slots[i]);
        }
    }

    /// Scores some slots that all filters pass, after [#prepareFilters], and makes sure of no
    /// others.
    void score(ClusterState state, int[] slots) {
        prepareScores(state);
        reserve(state.columns().limit());
        for (int slot : slots) {
            judge(slot);
        }
    }

    /// Judges all slots anew, on the side, and tells where that differs from what is kept. Slots
    /// that changed since are left out, and so is everything that would be judged anew anyhow.
    List<String> recheck(ClusterState state, int[] changed) {
        int stale = isStale(state) ? -1 : state.changes().since(version, Changes.ANY, changed);
        if (stale < 0) {
            return List.of();
        }
        var left = new BitSet();
        for (int i = 0; i < state.orderCount(); i++) {
            left.set(state.order()[i], state.holdsNode(state.order()[i]));
        }
        for (int i = 0; i < stale; i++) {
            left.clear(changed[i]);
        }
        var anew = new ShapeResults(spec, plugins);
        anew.judgeAll(state, left.stream().toArray(), left.cardinality());
        return left.stream()
                .filter(slot -> differs(anew, slot))
                .mapToObj(slot -> told(anew, slot))
                .toList();
    }

    private boolean differs(ShapeResults anew, int slot) {
        if (refusedBy[slot] != anew.refusedBy[slot] || !isWordedAs(anew, slot)) {
            return true;
        }
        boolean isFeasible = refusedBy[slot] == 0;
        for (int i = 0; isFeasible && i < raw.length; i++) {
            if (raw[i][slot] != anew.raw[i][slot]) {
                return true;
            }
        }
        return isFeasible && base[slot] != anew.base[slot];
    }

    private boolean isWordedAs(ShapeResults anew, int slot) {
        var known = slot < words.length ? words[slot] : null;
        if (known == null) {
            return true;
        }
        var judge = anew.judges[anew.refusedBy[slot] - 1];
        return judge == null || judge.explain(slot).equals(known.refusal());
    }

    private String told(ShapeResults anew, int slot) {
        return "slot %d: refused by %d, base %d is kept, but judged anew %d, %d"
                .formatted(
                        slot, refusedBy[slot], base[slot], anew.refusedBy[slot], anew.base[slot]);
    }

    private boolean isStale(ClusterState state) {
        var columns = state.columns();
        return !isJudged
                || epoch != state.keptEpoch()
                || allTold != state.changes().allToldVersion()
                || plugins.readsNodeCount() && nodeCount != columns.nodeCount();
    }

    /// The slots that the last [#refresh] judged; valid until the next one of any shape.
    int[] judgedSlots(ClusterState state) {
        return lastChanged == null ? state.order() : lastChanged;
    }

    /// How many of [#judgedSlots] there are.
    int judgedCount(ClusterState state) {
        return lastChanged == null ? state.orderCount() : lastChangedCount;
    }

    private void prepare(ClusterState state) {
        prepareFilters(state);
        prepareScores(state);
    }

    private void prepareScores(ClusterState state) {
        plainScores = scorers(plugins.plain(), state);
        rawScores = scorers(plugins.normalised(), state);
    }

    /// Makes [#judgeAt] ready without judging any slot.
    void prepareFilters(ClusterState state) {
        judges = new SlotJudge[plugins.filterCount()];
        busyJudges = new SlotJudge[plugins.filters().size()];
        busyPositions = new short[busyJudges.length];
        int busy = 0;
        for (int i = 0; i < plugins.filters().size(); i++) {
            var judge = judgeOf(plugins.filters().get(i), state);
            short position = plugins.filterPositions()[i];
            judges[position] = judge;
            if (!judge.equals(SlotJudge.PASS_ALL)) {
                busyJudges[busy] = judge;
                busyPositions[busy++] = position;
            }
        }
        busyJudges = java.util.Arrays.copyOf(busyJudges, busy);
    }

    private void reserve(int slots) {
        refusedBy = new short[slots];
        words = NOBODY_ASKED;
        base = new long[slots];
        raw = new long[rawScores.length][slots];
        nonZero = new int[rawScores.length];
    }

    private SlotJudge judgeOf(NodeLocalFilter filter, ClusterState state) {
        try {
            return filter.judge(spec, state.columns());
        } catch (Throwable broken) {
            throw PluginFailure.filtering(filter.name(), broken);
        }
    }

    private SlotScore[] scorers(List<NodeLocalScore> scores, ClusterState state) {
        var result = new SlotScore[scores.size()];
        for (int i = 0; i < result.length; i++) {
            try {
                result[i] = scores.get(i).scorer(spec, state.columns());
            } catch (Throwable broken) {
                throw PluginFailure.scoring("Score", scores.get(i).name(), broken);
            }
        }
        return result;
    }

    /// Hot: judges one slot anew. Scores matter only where the pod passes.
    private void judge(int slot) {
        if (slot < words.length) {
            words[slot] = null;
        }
        for (int i = 0; i < busyJudges.length; i++) {
            if (!passes(i, slot)) {
                refusedBy[slot] = (short) (busyPositions[i] + 1);
                return;
            }
        }
        refusedBy[slot] = 0;
        long sum = 0;
        for (int i = 0; i < plainScores.length; i++) {
            long score = score(plugins.plain().get(i), plainScores[i], slot);
            ScorePass.requireInRange(plugins.plain().get(i).name(), score);
            sum += score * plugins.plainWeights()[i];
        }
        base[slot] = sum;
        for (int i = 0; i < rawScores.length; i++) {
            long score = score(plugins.normalised().get(i), rawScores[i], slot);
            long before = raw[i][slot];
            raw[i][slot] = score;
            nonZero[i] += (score == 0 ? 0 : 1) - (before == 0 ? 0 : 1);
        }
    }

    private boolean passes(int busy, int slot) {
        try {
            return busyJudges[busy].passes(slot);
        } catch (Throwable broken) {
            throw PluginFailure.filtering(plugins.filterAt(busyPositions[busy]).name(), broken);
        }
    }

    private long score(NodeLocalScore plugin, SlotScore scorer, int slot) {
        try {
            return scorer.score(slot);
        } catch (Throwable broken) {
            throw PluginFailure.scoring("Score", plugin.name(), broken);
        }
    }
}
