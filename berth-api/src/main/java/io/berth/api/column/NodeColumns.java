package io.berth.api.column;

import io.berth.api.spec.Taint;
import java.util.List;

/// The facts about all nodes as arrays indexed by *slot*.
///
/// A slot is a node's place in the columns. It stays the node's as long as the node lives and is
/// reused afterwards; a few slots at the end are scratch, each standing for "this node with other
/// pods than it has" during a preemption's dry run. All arrays are read-only for plugins and belong
/// to the engine thread (and its workers during a pass). They are replaced when the columns grow:
/// [#epoch] changes then, and whoever kept an array must fetch it again.
public interface NodeColumns {
    /// Changes whenever arrays have been replaced.
    int epoch();

    /// One more than the highest slot, scratch slots included.
    int limit();

    /// How many nodes there are.
    int nodeCount();

    /// Whether a slot is a node's, and neither free nor scratch. For loops over all of [#limit]
    /// that ask for views: columns may say anything of other slots.
    boolean holdsNode(int slot);

    /// The node in a slot that holds one.
    NodeView node(int slot);

    /// The slot of a node, -1 where there is none of that name.
    int slotOf(String nodeName);

    long[] allocatableCpuMillis();

    long[] allocatableMemoryBytes();

    long[] allocatableEphemeralBytes();

    long[] allocatablePods();

    long[] requestedCpuMillis();

    long[] requestedMemoryBytes();

    long[] requestedEphemeralBytes();

    /// Requests for scoring, where a container without a request counts for a default.
    long[] nonZeroCpuMillis();

    long[] nonZeroMemoryBytes();

    int[] podCounts();

    /// A scalar resource. Zeros where no node offers or uses it.
    ScalarColumn scalar(String resource);

    /// Interned lists of taints, by slot; see [#taints].
    int[] taintSetIds();

    /// The taints behind an id; ids are dense, from 0 (no taints).
    List<Taint> taints(int taintSetId);

    /// One more than the largest taint set id in use.
    int taintSetLimit();

    /// Whether an id stands for a set of taints, as [LabelColumn#isGiven] says it of values.
    boolean isTaintSet(int id);

    /// Bit sets by slot: nodes marked unschedulable.
    long[] unschedulable();

    /// The column of a label, made when first asked for.
    LabelColumn label(String key);
}
