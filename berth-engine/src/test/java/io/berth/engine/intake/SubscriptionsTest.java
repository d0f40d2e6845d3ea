package io.berth.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.model.Kind;
import io.berth.testkit.NotedLog;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// By which names plugins wait for kinds.
@Tag("E-73")
class SubscriptionsTest {
    @ParameterizedTest
    @CsvSource({
        "PersistentVolume, persistentvolumes.v1.",
        "PersistentVolumeClaim, persistentvolumeclaims.v1.",
        "storage.k8s.io/CSINode, csinodes.v1.storage.k8s.io",
        "storage.k8s.io/CSIDriver, csidrivers.v1.storage.k8s.io",
        "storage.k8s.io/VolumeAttachment, volumeattachments.v1.storage.k8s.io",
        "storage.k8s.io/CSIStorageCapacity, csistoragecapacities.v1.storage.k8s.io",
        "storage.k8s.io/StorageClass, storageclasses.v1.storage.k8s.io",
        "services.v1., services.v1.",
        "replicasets.v1.apps, replicasets.v1.apps"
    })
    void kindIsHeardOfByItsName(String name, Kind kind) {
        var log = new NotedLog();
        var registered = List.of(ClusterEvent.of(name, Action.ADD | Action.UPDATE));
        var subscriptions = new Subscriptions(registered, log);
        for (var each : Kind.values()) {
            assertThat(subscriptions.nameOf(each)).isEqualTo(each == kind ? name : null);
        }
        assertThat(log.lines()).isEmpty();
    }
}
