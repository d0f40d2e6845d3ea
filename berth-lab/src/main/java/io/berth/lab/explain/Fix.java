package io.berth.lab.explain;

import io.berth.api.relax.Edit;
import io.berth.api.relax.Who;
import java.util.List;

/// A change that was tried and gets the pod a place.
///
/// @param id counts from 1, the best first
/// @param who has to act
/// @param cutPercent how much of a wish is given up
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
        List<Edit> edits,
        int nodes,
        String landsOn,
        String command,
        List<Victim> victims,
        Change change) {
    public Fix {
        edits = List.copyOf(edits);
        victims = List.copyOf(victims);
    }

    /// A pod that would be evicted.
    ///
    /// @param newNode where it would go then; empty where it finds no place
    public record Victim(String pod, int priority, String newNode) {}

    Fix numbered(int number) {
        return new Fix(
                number, sentence, who, cutPercent, edits, nodes, landsOn, command, victims, change);
    }

    /// Whether a patch of the pod can be made of it.
    public boolean hasPatch() {
        return !edits.isEmpty() && edits.stream().noneMatch(edit -> edit.path().isEmpty());
    }
}
