package io.berth.api.relax;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.List;

/// A change that might get a pod a place.
///
/// @param sentence what to do, in a few words, such as `request cpu 1850m instead of 2`
/// @param family names proposals of which only the mildest that helps is of interest; empty for one
///   of its own
/// @param cutPercent how much is given up, from 0 for hardly anything to 100 for all of a wish
public record Relaxation(String sentence, Who who, Change change, String family, int cutPercent) {
    private static final int USUAL_CUT = 95;

    public Relaxation(String sentence, Who who, Change change) {
        this(sentence, who, change, "", USUAL_CUT);
    }

    /// What changes.
    public sealed interface Change {
        /// The pod itself, or the template that it is made from.
        ///
        /// @param pod as it would be
        /// @param edits the same as steps on its JSON, carried out in this order
        record OfPod(Pod pod, List<Edit> edits) implements Change {
            public OfPod {
                edits = List.copyOf(edits);
            }
        }

        /// Objects that the pod depends on, such as its claims, or the class of a claim.
        ///
        /// @param objects as they would be; some of them may be new
        /// @param target which object the edits are for, such as `PersistentVolumeClaim shop/data`;
        ///   empty where the change cannot be written as edits of one object
        /// @param edits the same as steps on its JSON; most such objects have to be made anew with
        ///   them, since an API server lets nobody change them
        record OfObjects(List<ClusterObject> objects, String target, List<Edit> edits)
                implements Change {
            public OfObjects {
                objects = List.copyOf(objects);
                edits = List.copyOf(edits);
            }
        }

        /// Nodes.
        ///
        /// @param nodes as they would be
        /// @param command what to type, without the names of the nodes, for which `%s` stands;
        ///   empty where there is nothing to type
        record OfNodes(List<Node> nodes, String command) implements Change {
            public OfNodes {
                nodes = List.copyOf(nodes);
            }
        }
    }
}
