package io.berth.plugins.volumebinding;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Lister;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.StorageClass;
import io.berth.plugins.volume.NodeQuestion;
import org.jspecify.annotations.Nullable;

/// For which nodes a claim's class makes volumes, and whether there is room (VB-10, VB-11).
final class Provisioning {
    private final Lister<StorageClass> classes;
    private final Lister<CsiDriver> drivers;
    private final Capacities capacities;

    Provisioning(Lister<StorageClass> classes, Lister<CsiDriver> drivers, Capacities capacities) {
        this.classes = classes;
        this.drivers = drivers;
        this.capacities = capacities;
    }

    VolumeJudge.Provision of(PersistentVolumeClaim claim, NodeColumns columns) {
        if (claim.storageClass().isEmpty()) {
            throw new IllegalStateException("no class for claim \"" + claim.key() + "\"");
        }
        var storageClass = classes.get(claim.storageClass());
        if (storageClass == null) {
            throw new IllegalStateException(
                    "failed to find storage class \"" + claim.storageClass() + "\"");
        }
        var provisioner = storageClass.provisioner();
        boolean isPossible =
                !provisioner.isEmpty() && !provisioner.equals(StorageClass.NO_PROVISIONER);
        var topologies = storageClass.allowedTopologies();
        var allowed =
                topologies.terms().isEmpty()
                        ? NodeQuestion.Settled.ALWAYS
                        : NodeQuestion.of(topologies, columns);
        return new VolumeJudge.Provision(
                claim, isPossible, topologies, allowed, room(claim, provisioner));
    }

    private Capacities.@Nullable Room room(PersistentVolumeClaim claim, String provisioner) {
        var request = claim.request();
        var driver = drivers.get(provisioner);
        return request == null || driver == null || !driver.hasStorageCapacity()
                ? null
                : capacities.room(claim.storageClass(), request.value());
    }
}
