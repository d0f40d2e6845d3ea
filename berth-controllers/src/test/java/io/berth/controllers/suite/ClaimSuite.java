package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.apiserver.conformance.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Claims: whom they are bound to, and who makes them.
public abstract class ClaimSuite extends VolumeBase {
    @AfterEach
    void deleteVolume() {
        client.delete("/api/v1/persistentvolumes/pv-" + namespace);
    }

    @Test
    void claimIsBoundToAVolumeThatSuits() {
        String volume = volume("2Gi", "manual-" + namespace, "Retain");
        untilAt(volume, "/status/phase", "Available");
        created(claims(), claim("data", "manual-" + namespace));
        Answer claim = bound("data");
        assertThat(claim.at("/spec/volumeName")).isEqualTo("pv-" + namespace);
        assertThat(claim.at("/status/capacity/storage")).isEqualTo("2Gi");
        untilAt(volume, "/status/phase", "Bound");
        assertThat(client.get(volume).at("/spec/claimRef/uid")).isEqualTo(claim.uid());
        client.delete(claims() + "/data");
        untilAt(volume, "/status/phase", "Released");
    }

    @Test
    void smallVolumesAndOtherClassesDoNotSuit() {
        String volume = volume("512Mi", "manual-" + namespace, "Retain");
        untilAt(volume, "/status/phase", "Available");
        created(claims(), claim("large", "manual-" + namespace));
        created(claims(), claim("other", "other-" + namespace));
        created(claims(), claim("small", "manual-" + namespace).replace("1Gi", "256Mi"));
        bound("small");
        assertThat(client.get(claims() + "/large").at("/status/phase")).isEqualTo("Pending");
        assertThat(client.get(claims() + "/other").at("/status/phase")).isEqualTo("Pending");
    }

    @Test
    void podWithAnEphemeralVolumeHasAClaimThatGoesWithIt() {
        created(
                pods(),
                pod(
                        "user",
                        """
                        "volumes":[{"name":"scratch","ephemeral":{"volumeClaimTemplate":{"spec":{
                          "accessModes":["ReadWriteOnce"],"storageClassName":"other-%s",
                          "resources":{"requests":{"storage":"1Gi"}}}}}}],\
                        """
                                .formatted(namespace)));
        untilAt(claims() + "/user-scratch", "/metadata/ownerReferences/0/name", "user");
        client.delete(pods() + "/user?gracePeriodSeconds=0");
        untilGone(claims() + "/user-scratch");
    }
}
