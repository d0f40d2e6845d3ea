package io.berth.plugins.dynamicresources;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.device.DeviceClaim;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.GeneratedClaims.Generated;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which claims a pod means.
@Tag("DR-2")
class PodClaimsTest {
    private final Map<String, ResourceClaim> claims = new HashMap<>();

    private ResourceClaim claim(String name, boolean isTerminating, @Nullable String ownerUid) {
        var owner = ownerUid == null ? null : new Owner("v1", "Pod", "p", ownerUid);
        var claim =
                new ResourceClaim(
                        "ns",
                        name,
                        name,
                        "1",
                        owner,
                        isTerminating,
                        false,
                        false,
                        DeviceClaim.NOTHING,
                        null,
                        List.of(),
                        List.of());
        claims.put(claim.key(), claim);
        return claim;
    }

    private static Pod pod(@Nullable GeneratedClaims generated, PodClaim... references) {
        var spec = PodSpec.builder();
        for (var reference : references) {
            spec.resourceClaim(reference);
        }
        return Pod.builder("ns", "p")
                .uid("pod-uid")
                .spec(spec.build())
                .generatedClaims(generated)
                .build();
    }

    private PodClaims of(Pod pod) {
        return PodClaims.of(pod, (namespace, name) -> claims.get(namespace + "/" + name));
    }

    private static GeneratedClaims generated(String name, @Nullable String claimName) {
        return new GeneratedClaims(List.of(new Generated(name, claimName)), null);
    }

    @Test
    void namedOnesAndThoseMadeFromTemplatesInTheOrderOfTheSpec() {
        var made = claim("p-gpu-x7", false, "pod-uid");
        var named = claim("shared", false, null);
        var pod =
                pod(
                        generated("gpu", "p-gpu-x7"),
                        PodClaim.fromTemplate("gpu", "template"),
                        PodClaim.of("other", "shared"));
        assertThat(of(pod)).isEqualTo(new PodClaims.Found(List.of(made, named)));
    }

    @Test
    void templateThatNeedsNoClaimIsPassedOver() {
        var pod = pod(generated("gpu", null), PodClaim.fromTemplate("gpu", "template"));
        assertThat(of(pod)).isEqualTo(new PodClaims.Found(List.of()));
    }

    @Test
    void whatIsMissingIsTold() {
        claim("going", true, null);
        claim("foreign", false, "somebody");
        assertThat(of(pod(null, PodClaim.fromTemplate("gpu", "template"))))
                .isEqualTo(new PodClaims.Missing("pod \"ns/p\": ResourceClaim not created yet"));
        assertThat(of(pod(null, new PodClaim("gpu", null, null))))
                .isEqualTo(
                        new PodClaims.Missing(
                                "pod \"ns/p\", spec.resourceClaim \"gpu\": none of the supported"
                                        + " fields are set"));
        assertThat(of(pod(null, PodClaim.of("gpu", "nobody"))))
                .isEqualTo(new PodClaims.Missing("could not find ResourceClaim \"ns/nobody\""));
        assertThat(of(pod(null, PodClaim.of("gpu", "going"))))
                .isEqualTo(new PodClaims.Missing("resourceclaim \"going\" is being deleted"));
        assertThat(of(pod(generated("gpu", "foreign"), PodClaim.fromTemplate("gpu", "template"))))
                .isEqualTo(
                        new PodClaims.Missing(
                                "ResourceClaim ns/foreign was not created for Pod ns/p (Pod is not"
                                        + " owner)"));
    }
}
