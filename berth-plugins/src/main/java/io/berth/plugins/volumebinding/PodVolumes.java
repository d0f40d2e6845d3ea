package io.berth.plugins.volumebinding;

import io.berth.api.handle.Cycle;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.write.Written;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an attempt knows of a pod's claims, and what was decided about them.
///
/// Written on the engine thread; a binding thread reads what was decided before it began. Dry runs
/// share it, since no other pod changes what it says.
final class PodVolumes implements Cycle.Note {
    static final Cycle.Key<PodVolumes> KEY = new Cycle.Key<>(PodVolumes.class);

    /// A volume that is there, for a claim.
    ///
    /// @param volume as it was looked at
    /// @param isNew whether it was not kept for the claim before
    record Binding(PersistentVolume volume, PersistentVolumeClaim claim, boolean isNew) {
        /// The volume as it will be.
        PersistentVolume bound() {
            return volume.toBuilder()
                    .claim(
                            new PersistentVolume.ClaimReference(
                                    claim.namespace(), claim.name(), claim.uid()))
                    .build();
        }
    }

    /// What is to happen on a node.
    ///
    /// @param provisioned claims for which volumes are to be made, as they were looked at
    record Choice(List<Binding> bindings, List<PersistentVolumeClaim> provisioned) {
        Choice {
            bindings = List.copyOf(bindings);
            provisioned = List.copyOf(provisioned);
        }
    }

    private final List<PersistentVolumeClaim> bound;
    private final List<PersistentVolumeClaim> delayed;
    private @Nullable Choice choice;
    private List<Written> written = List.of();

    /// @param bound claims that have their volumes
    /// @param delayed claims that get one when the pod has its node
    PodVolumes(List<PersistentVolumeClaim> bound, List<PersistentVolumeClaim> delayed) {
        this.bound = List.copyOf(bound);
        this.delayed = List.copyOf(delayed);
    }

    List<PersistentVolumeClaim> bound() {
        return bound;
    }

    List<PersistentVolumeClaim> delayed() {
        return delayed;
    }

    /// What was decided for the node that the pod got; null where there was nothing to decide.
    @Nullable Choice choice() {
        return choice;
    }

    void choose(@Nullable Choice made) {
        choice = made;
    }

    /// What of it the API server has carried out.
    List<Written> written() {
        return written;
    }

    void wrote(List<Written> carriedOut) {
        written = carriedOut;
    }

    @Override
    public PodVolumes copy() {
        return this;
    }
}
