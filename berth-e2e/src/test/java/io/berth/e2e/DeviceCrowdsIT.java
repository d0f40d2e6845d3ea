package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.DeviceFacts;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RealScheduler;
import io.berth.e2e.fixture.Thorough;
import java.util.HashSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Hundreds of pods that want devices. The same facts hold for the real kube-scheduler.
@Thorough
final class DeviceCrowdsIT {
    @Nested
    @PackagedScheduler
    @RealControlPlane
    class Berth extends Facts {}

    @Nested
    @RealScheduler
    @RealControlPlane
    class KubeScheduler extends Facts {}

    abstract static class Facts extends DeviceFacts {
        private static final int NODES = 8;
        private static final int PLACES_IN_A_CLAIM = 256;

        /// Who comes too late is told what the API server says, and is placed once somebody ended.
        @Test
        @Tag("DR-18")
        void claimHasPlacesForSoManyPodsAndNoMore() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{name: 'g0'}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            String others =
                    IntStream.range(1, PLACES_IN_A_CLAIM)
                            .mapToObj("{resource: 'pods', name: 'o%1$d', uid: 'o%1$d'}"::formatted)
                            .collect(Collectors.joining(", ", "[", "]"));
            patchStatus(
                    claims() + "/c",
                    """
                    {status: {reservedFor: %s, allocation: {
                      allocationTimestamp: '2026-01-01T00:00:00Z',
                      devices: {results: [{request: 'r', driver: '%s', pool: '%s',
                                           device: 'g0'}]}}}}
                    """
                            .formatted(others, DRIVER, pool("a")));
            podWith("p", "c", "");
            assertThat(placeOf("p")).isEqualTo("a");
            podWith("q", "c", "");
            awaitRefusal(
                    "q",
                    ("running PreBind plugin \"DynamicResources\": add reservation to claim %s/c:"
                                    + " ResourceClaim.resource.k8s.io \"c\" is invalid:"
                                    + " status.reservedFor: Too many: 257: must have at most 256"
                                    + " items")
                            .formatted(namespace()));
            assertThat(consumersOf("c")).hasSize(PLACES_IN_A_CLAIM).contains("p");

            giveUp("c", "o1");
            assertThat(placeOf("q")).isEqualTo("a");
            assertThat(consumersOf("c")).hasSize(PLACES_IN_A_CLAIM).contains("p", "q");
        }

        @Test
        void everyDeviceIsGivenOnce() {
            int devices = 50;
            gpuClass();
            String listed =
                    IntStream.range(0, devices)
                            .mapToObj("{name: 'g%d'}"::formatted)
                            .collect(Collectors.joining(", ", "[", "]"));
            for (int i = 0; i < NODES; i++) {
                node("n" + i, "{}");
                slice("n" + i, listed);
            }
            awaitKnown(NODES, 0);
            for (int i = 0; i < NODES * devices; i++) {
                claim("c" + i, one(""));
                pod(
                        "p" + i,
                        "{cpu: '10m'}",
                        "{spec: {resourceClaims: [{name: 'c', resourceClaimName: 'c%d'}]}}"
                                .formatted(i));
            }
            awaitPlaced(NODES * devices);
            var given = new HashSet<String>();
            for (var claim : plane().admin().get(claims()).ok().at("/items")) {
                var results = claim.at("/status/allocation/devices/results");
                assertThat(results).hasSize(1);
                given.add(results.at("/0/pool").asText() + "/" + results.at("/0/device").asText());
            }
            assertThat(given).hasSize(NODES * devices);
        }

        /// What the controller of claims does for a pod that is gone.
        private void giveUp(String claim, String ended) {
            scheduler()
                    .process()
                    .await(
                            "slower than the one who gives up claims",
                            LIMIT,
                            () -> {
                                var now = claimNow(claim);
                                for (var all = now.at("/status/reservedFor").iterator();
                                        all.hasNext(); ) {
                                    if (all.next().at("/name").asText().equals(ended)) {
                                        all.remove();
                                    }
                                }
                                String path = claims() + "/" + claim + "/status";
                                return plane().admin().put(path, now.toString()).status() == 200;
                            });
        }

        private void awaitPlaced(int count) {
            scheduler()
                    .process()
                    .await(
                            "done with %d pods".formatted(count),
                            LIMIT,
                            () ->
                                    plane().admin()
                                                    .get(
                                                            "/api/v1/namespaces/"
                                                                    + namespace()
                                                                    + "/pods")
                                                    .ok()
                                                    .at("/items")
                                                    .findValues("nodeName")
                                                    .size()
                                            == count);
        }
    }
}
