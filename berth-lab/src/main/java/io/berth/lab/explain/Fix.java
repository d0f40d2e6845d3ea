package io.berth.lab.explain;

import io.berth.api.relax.Edit;
import io.berth.api.relax.Who;
import java.util.ArrayList;
import java.util.List;

/// A change that was tried and gets the pod a place.
///
/// @param id counts from 1, the best first
/// @param who has to act
/// @param cutPercent how much of a wish is given up
/// @param patch what to change in the pod, or in an object that it depends on
/// @param nodes how many nodes could take the pod then
/// @param landsOn one of them
/// @param command what to type for a change of nodes; empty where there is nothing to type
/// @param victims what preemption costs; empty where nobody is evicted
/// @param change all of it, as it was tried
public record Fix(
        int id,
        String sentence,
        Who who,
        int cutPercent,
        Patch patch,
        int nodes,
        String landsOn,
        String command,
        List<Victim> victims,
        Change change) {
    public Fix {
        victims = List.copyOf(victims);
    }

    /// A pod that would be evicted.
    ///
    /// @param newNode where it would go then; empty where it finds no place
    public record Victim(String pod, int priority, String newNode) {}

    Fix numbered(int number) {
        return new Fix(
                number, sentence, who, cutPercent, patch, nodes, landsOn, command, victims, change);
    }

    /// Steps on the JSON of one object, or of several.
    ///
    /// @param target which object, such as `ResourceClaim shop/gpus`; empty for the pod
    /// @param edits where there are several objects, paths begin with those of them that are not
    ///   the pod
    public record Patch(String target, List<Edit> edits) {
        public static final Patch NONE = new Patch("", List.of());

        private static final String SEVERAL = "several objects";

        public Patch {
            edits = List.copyOf(edits);
        }

        static Patch ofPod(List<Edit> edits) {
            return new Patch("", edits);
        }

        /// @param more none where the object has to be made, or the change is no matter of edits
        Patch and(String other, List<Edit> more) {
            var added = more.isEmpty() ? List.of(Edit.add("", other)) : more;
            if (edits.isEmpty() || target.equals(other)) {
                return new Patch(other, joined(edits, added));
            }
            return new Patch(SEVERAL, joined(named(target, edits), named(other, added)));
        }

        private static List<Edit> joined(List<Edit> some, List<Edit> more) {
            var all = new ArrayList<>(some);
            all.addAll(more);
            return all;
        }

        private static List<Edit> named(String target, List<Edit> edits) {
            if (target.isEmpty() || target.equals(SEVERAL)) {
                return edits;
            }
            return edits.stream()
                    .map(edit ->
                            new Edit(edit.op(), target + ":" + edit.path(), edit.from(), edit.to()))
                    .toList();
        }

        boolean isOne() {
            return !edits.isEmpty()
                    && !target.equals(SEVERAL)
                    && edits.stream().noneMatch(edit -> edit.path().isEmpty());
        }
    }

    /// Whether one patch can be made of it.
    public boolean hasPatch() {
        return patch.isOne();
    }
}
