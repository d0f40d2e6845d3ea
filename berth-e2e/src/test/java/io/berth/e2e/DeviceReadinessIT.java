package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.DeviceFacts;
import io.berth.e2e.fixture.Manifest;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RealScheduler;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Devices that their drivers have to prepare before a pod is bound: what becomes of the pod and
/// its claim where that fails, where it takes too long, and where a taint comes in between. The
/// same facts hold for the real kube-scheduler.
@Thorough
@Tag("DR-19")
final class DeviceReadinessIT {
    @Nested
    @PackagedScheduler
    @RealControlPlane
    class Berth extends Facts {}

    @Nested
    @RealScheduler
    @RealControlPlane
    class KubeScheduler extends Facts {}

    abstract static class Facts extends DeviceFacts {
        private static final String PREPARED =
                "name: '%s', bindingConditions: ['Attached'], bindingFailureConditions: ['Failed']";
        private static final String G0 = PREPARED.formatted("g0");
        private static final String IMPATIENT = "impatient";
        private static final String TOO_LATE =
                "running PreBind plugin \"DynamicResources\": device binding timeout: ";

        /// Two profiles: one has patience, the other has little.
        @Override
        protected String[] flags() {
            try {
                var file =
                        Files.writeString(
                                plane().folder().resolve("ready-" + program().name() + ".yaml"),
                                """
                                apiVersion: kubescheduler.config.k8s.io/v1
                                kind: KubeSchedulerConfiguration
                                leaderElection: {leaderElect: false}
                                clientConnection: {kubeconfig: %s}
                                profiles:
                                - schedulerName: default-scheduler
                                - schedulerName: %s
                                  pluginConfig:
                                  - {name: DynamicResources, args: {bindingTimeout: 3s}}
                                """
                                        .formatted(plane().schedulerKubeconfig(), IMPATIENT));
                return new String[] {"--config=" + file};
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write settings", e);
            }
        }

        @Test
        @Tag("DR-15")
        void devicesThatFailedMayBeGivenAgain() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{" + G0 + "}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            awaitReservation("c", "p");
            tell("c", "Failed", "no \\\"power\\\"\\n\\u0001 caf\\u00e9\\u200b");
            awaitNews("c");
            awaitFailure(
                    "p",
                    "running PreBind plugin \"DynamicResources\": device binding failed: claim=c,"
                            + " reason=Testing, message=\"no \\\"power\\\"\\n\\x01 café\\u200b\"");
            awaitFailure("p", givenUpOn(1));
            tell("c", "Attached", "");
            assertThat(placeOf("p")).isEqualTo("a");
            assertThat(devicesOf("c")).containsExactly("r=a/g0");
            assertThat(consumersOf("c")).containsExactly("p");
        }

        @Test
        @Tag("DR-15")
        void podOfATaintedDeviceThatFailsGoesElsewhere() {
            node("a", "{}");
            node("b", "{}");
            gpuClass();
            slice("a", "[{" + G0 + "}]");
            awaitKnown(2, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            awaitReservation("c", "p");
            rewrite("a", "[{" + G0 + ", taints: [{key: 'broken', effect: 'NoSchedule'}]}]");
            slice("b", "[{name: 'h0'}]");
            tell("c", "Failed", "");
            assertThat(placeOf("p")).isEqualTo("b");
            awaitFailure("p", givenUpOn(2));
            assertThat(devicesOf("c")).containsExactly("r=b/h0");
            assertThat(claimNow("c").at("/status/devices").isMissingNode()).isTrue();
            assertThat(
                            claimNow("c")
                                    .at("/status/allocation/devices/results/0/bindingConditions")
                                    .isMissingNode())
                    .isTrue();
        }

        @Test
        @Tag("DR-15")
        void podOfADeviceThatIsTakenAwayWaitsForItsReturn() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{" + G0 + "}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            awaitReservation("c", "p");
            rewrite("a", "[]");
            tell("c", "Failed", "");
            awaitPod("p", _ -> said("p").startsWith("0/1 nodes are available: 1 cannot allocate"));
            assertThat(claimNow("c").at("/status/allocation").isMissingNode()).isTrue();
            rewrite("a", "[{" + G0 + "}]");
            awaitReservation("c", "p");
            tell("c", "Attached", "");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("DR-50")
        void taintOnADeviceThatIsBeingPreparedChangesNothing() {
            node("a", "{}");
            node("b", "{}");
            gpuClass();
            slice("a", "[{" + G0 + "}]");
            awaitKnown(2, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            awaitReservation("c", "p");
            rewrite("a", "[{" + G0 + ", taints: [{key: 'broken', effect: 'NoExecute'}]}]");
            slice("b", "[{name: 'h0'}]");
            // Who has been given this one has seen the change: slices are heard of in order.
            claim("d", one(""));
            podWith("q", "d", "");
            assertThat(placeOf("q")).isEqualTo("b");
            tell("c", "Attached", "");
            assertThat(placeOf("p")).isEqualTo("a");
            assertThat(devicesOf("c")).containsExactly("r=a/g0");
        }

        @Test
        void failureOutweighsReadiness() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{" + G0 + "}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            awaitReservation("c", "p");
            tellAll(
                    "c",
                    condition("Attached", "True", "") + ", " + condition("Failed", "True", ""));
            awaitFailure("p", givenUpOn(1));
        }

        @Test
        void podsThatShareAClaimMoveTogether() {
            node("a", "{}");
            node("b", "{}");
            gpuClass();
            slice("a", "[{" + G0 + "}]");
            awaitKnown(2, 0);
            claim("c", one(""));
            podWith("p", "c", "");
            podWith("q", "c", "");
            awaitReservation("c", "p");
            awaitReservation("c", "q");
            rewrite("a", "[]");
            slice("b", "[{name: 'h0'}]");
            tell("c", "Failed", "");
            assertThat(placeOf("p")).isEqualTo("b");
            assertThat(placeOf("q")).isEqualTo("b");
            assertThat(devicesOf("c")).containsExactly("r=b/h0");
            assertThat(consumersOf("c")).containsExactlyInAnyOrder("p", "q");
        }

        @Test
        void oneOfTwoConditionsIsNotEnough() {
            node("a", "{}");
            gpuClass();
            slice(
                    "a",
                    "[{name: 'g0', bindingConditions: ['Attached', 'Warm'],"
                            + " bindingFailureConditions: ['Failed']}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            podWith("p", "c", ", schedulerName: '" + IMPATIENT + "'");
            awaitReservation("c", "p");
            tellAll("c", condition("Attached", "True", "") + ", " + condition("Warm", "False", ""));
            awaitFailure("p", TOO_LATE);
            assertThat(objects().pod("p").text("/spec/nodeName")).isEmpty();
        }

        /// Devices without conditions come first, so the second attempt has another choice.
        @Test
        @Tag("DR-12")
        @Tag("DR-28")
        void deviceThatIsNotReadyInTimeIsGivenUp() {
            node("a", "{}");
            gpuClass();
            slice("a", "-slow", 1, "nodeName: 'a', devices: [{" + G0 + "}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            podWith("p", "c", ", schedulerName: '" + IMPATIENT + "'");
            awaitReservation("c", "p");
            slice("b", "", 1, "nodeName: 'a', devices: [{name: 'h0'}]");
            assertThat(placeOf("p")).isEqualTo("a");
            assertThat(devicesOf("c")).containsExactly("r=b/h0");
            awaitFailure("p", TOO_LATE);
            awaitFailure("p", givenUpOn(1));
        }

        /// What an earlier scheduler may have left behind.
        @Test
        @Tag("DR-12")
        void claimWhoseDeviceFailedBeforeThePodCameIsAllocatedAnew() {
            node("a", "{}");
            gpuClass();
            slice("a", "[{" + G0 + "}, {" + PREPARED.formatted("g1") + "}]");
            awaitKnown(1, 0);
            claim("c", one(""));
            patchStatus(
                    claims() + "/c",
                    """
                    {status: {allocation: {devices: {results: [{request: 'r', driver: '%1$s',
                      pool: '%2$s', device: 'g1', bindingConditions: ['Attached'],
                      bindingFailureConditions: ['Failed']}]}},
                     devices: [{driver: '%1$s', pool: '%2$s', device: 'g1', conditions: [%3$s]}]}}
                    """
                            .formatted(DRIVER, pool("a"), condition("Failed", "True", "")));
            podWith("p", "c", "");
            awaitReservation("c", "p");
            awaitFailure("p", givenUpOn(1));
            assertThat(devicesOf("c")).containsExactly("r=a/g0");
        }

        private static String givenUpOn(int nodes) {
            return ("0/%1$d nodes are available: %1$d resourceclaim not available on the node."
                            + " deallocation of ResourceClaim completed, preemption: 0/%1$d nodes"
                            + " are available: %1$d Preemption is not helpful for scheduling.")
                    .formatted(nodes);
        }

        private void awaitReservation(String claim, String pod) {
            awaitClaim(
                    claim,
                    now -> now.at("/status/reservedFor").findValuesAsText("name").contains(pod));
        }

        /// Waits until what was told of the devices is gone, and they are given again.
        private void awaitNews(String claim) {
            awaitClaim(
                    claim,
                    now ->
                            now.at("/status/devices").isMissingNode()
                                    && !now.at("/status/reservedFor").isMissingNode());
        }

        /// @param message how what the pod is told begins
        private void awaitFailure(String pod, String message) {
            scheduler()
                    .process()
                    .await(
                            "telling " + pod + ": " + message,
                            LIMIT,
                            () ->
                                    objects().events(pod, "FailedScheduling").stream()
                                            .anyMatch(event ->
                                                    event.at("/note")
                                                            .asText()
                                                            .startsWith(message)));
        }

        private String said(String pod) {
            return scheduled(pod).at("/message").asText();
        }

        private void rewrite(String node, String devices) {
            plane().admin()
                    .patch(
                            API + "/resourceslices/" + pool(node),
                            Manifest.of("{spec: {devices: " + devices + "}}"))
                    .ok();
        }

        private void tell(String claim, String condition, String message) {
            tellAll(claim, condition(condition, "True", message));
        }

        private static String condition(String type, String status, String message) {
            return """
            {type: '%s', status: '%s', reason: 'Testing', message: '%s',
             lastTransitionTime: '2026-01-01T00:00:00Z'}
            """
                    .formatted(type, status, message);
        }

        /// What a driver says of the one device that a claim has.
        private void tellAll(String claim, String conditions) {
            var result = claimNow(claim).at("/status/allocation/devices/results/0");
            patchStatus(
                    claims() + "/" + claim,
                    """
                    {status: {devices: [{driver: '%s', pool: '%s', device: '%s',
                                         conditions: [%s]}]}}
                    """
                            .formatted(
                                    DRIVER,
                                    result.at("/pool").asText(),
                                    result.at("/device").asText(),
                                    conditions));
        }
    }
}
