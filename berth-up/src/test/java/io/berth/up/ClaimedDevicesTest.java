package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// When a simulated kubelet lets a pod run that claims devices.
final class ClaimedDevicesTest {
    private final List<Pod> lookedAt = new ArrayList<>();
    private final ClaimedDevices claimed = new ClaimedDevices(lookedAt::add);

    @Test
    void podWithoutClaimsIsReadyAtOnce() {
        assertThat(claimed.areReadyFor(Pod.builder("shop", "plain").build())).isTrue();
    }

    @Test
    void podWaitsUntilItsClaimIsAllocatedAndReservedForIt() {
        Pod pod = pod("train", "1", new PodClaim("gpu", "mine", null), null);
        Pod other = pod("other", "2", new PodClaim("gpu", "mine", null), null);
        assertThat(claimed.areReadyFor(pod)).isFalse();
        claimed.seen(claim("mine", false));
        assertThat(claimed.areReadyFor(pod)).isFalse();
        claimed.seen(claim("mine", true));
        assertThat(claimed.areReadyFor(pod)).isFalse();
        claimed.seen(claim("mine", true, other));
        assertThat(claimed.areReadyFor(pod)).isFalse();
        claimed.seen(claim("mine", true, other, pod));
        assertThat(claimed.areReadyFor(pod)).isTrue();
    }

    @Test
    void podIsLookedAtAgainWhenAClaimChangesAsLongAsItWaits() {
        Pod pod = pod("train", "1", new PodClaim("gpu", "mine", null), null);
        claimed.areReadyFor(pod);
        claimed.seen(claim("mine", false));
        assertThat(lookedAt).containsExactly(pod);
        claimed.gone(Kind.POD, "shop", "train");
        claimed.seen(claim("mine", true, pod));
        assertThat(lookedAt).containsExactly(pod);
    }

    @Test
    void podWaitsForTheClaimOfItsTemplate() {
        var wanted = new PodClaim("gpu", null, "template");
        claimed.seen(claim("train-gpu-x", true, pod("train", "1", wanted, null)));
        assertThat(claimed.areReadyFor(pod("train", "1", wanted, null))).isFalse();
        var made =
                new GeneratedClaims(
                        List.of(new GeneratedClaims.Generated("gpu", "train-gpu-x")), null);
        assertThat(claimed.areReadyFor(pod("train", "1", wanted, made))).isTrue();
    }

    @Test
    void claimForExtendedResourcesCountsToo() {
        var made =
                new GeneratedClaims(
                        List.of(), new GeneratedClaims.Extended("train-extended", List.of()));
        Pod pod = Pod.builder("shop", "train").uid("1").generatedClaims(made).build();
        assertThat(claimed.areReadyFor(pod)).isFalse();
        claimed.seen(claim("train-extended", true, pod));
        assertThat(claimed.areReadyFor(pod)).isTrue();
    }

    private static Pod pod(
            String name, String uid, PodClaim claim, @Nullable GeneratedClaims generated) {
        return Pod.builder("shop", name)
                .uid(uid)
                .spec(PodSpec.builder().resourceClaim(claim).build())
                .generatedClaims(generated)
                .build();
    }

    private static ResourceClaim claim(String name, boolean allocated, Pod... pods) {
        return new ResourceClaim(
                "shop",
                name,
                "uid-" + name,
                "1",
                null,
                false,
                false,
                false,
                DeviceClaim.NOTHING,
                allocated ? new DeviceAllocation(List.of(), List.of(), null, null) : null,
                Arrays.stream(pods).map(ResourceClaim.Consumer::of).toList(),
                List.of());
    }
}
